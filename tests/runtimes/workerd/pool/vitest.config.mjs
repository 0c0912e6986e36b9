// Runs vitest inside workerd, as Cloudflare's own template does; the Worker's configuration makes modules of .wasm files.
import { cloudflareTest } from '@cloudflare/vitest-pool-workers';

export default {
  plugins: [cloudflareTest({ wrangler: { configPath: 'workerd/pool/wrangler.json' }, miniflare: { cf: false } })],
  test: { include: ['workerd/pool/*.pool.mjs'], watch: false },
};
