// A claim as a Durable Object: all isolates of the world ask the same one, and it answers one request after another.
import { DurableObject } from 'cloudflare:workers';

/** One claim. The object's name is what is claimed. */
export class Claim extends DurableObject {
  /** True to its first caller and false to every other, for `ttl` seconds. */
  async take(ttl: number): Promise<boolean> {
    if ((await this.ctx.storage.getAlarm()) !== null) return false;
    await this.ctx.storage.setAlarm(Date.now() + ttl * 1000);
    return true;
  }

  /** What was claimed can no longer be opened either: nothing of it is kept. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
