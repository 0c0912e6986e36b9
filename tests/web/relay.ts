// A connection that can drop: the browser talks to the server through it.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface Relay {
  url: string;
  /** Breaks off everything that is open. */
  drop(): void;
  /** Whether new connections are let through. */
  open: boolean;
  stop(): Promise<void>;
}

export async function relayTo(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    if (!relay.open) return void socket.destroy();
    const onward = connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const relay: Relay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    open: true,
    drop,
    async stop() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return relay;
}
