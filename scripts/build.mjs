// `npm run build [-- --accept-api]`: the npm package into pkg/.
import { prepare } from './setup/prepare.mjs';
import { entry, note } from './setup/report.mjs';

await entry(async () => {
  await prepare({ acceptApi: process.argv.includes('--accept-api') });
  note('pkg/ is up to date');
});
