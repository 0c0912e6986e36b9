// Many children may follow one signal, a request's say: it has one listener for them all, and no runtime warns of a leak.

interface Followers {
  all: Set<() => void>;
  listener(): void;
}

const followed = new WeakMap<AbortSignal, Followers>();

/** Calls `follower` when `signal` aborts; at once, if it has. Gives what lets go of it. */
export function followSignal(signal: AbortSignal, follower: () => void): () => void {
  if (signal.aborted) {
    follower();
    return () => {};
  }
  const followers = followed.get(signal) ?? listen(signal);
  followers.all.add(follower);
  return () => {
    followers.all.delete(follower);
    if (followers.all.size > 0 || followed.get(signal) !== followers) return;
    followed.delete(signal);
    signal.removeEventListener('abort', followers.listener);
  };
}

function listen(signal: AbortSignal): Followers {
  const all = new Set<() => void>();
  const listener = () => {
    followed.delete(signal);
    for (const follower of all) follower();
  };
  const followers = { all, listener };
  followed.set(signal, followers);
  signal.addEventListener('abort', listener, { once: true });
  return followers;
}
