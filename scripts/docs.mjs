// `npm run docs`: the reference of both languages, from their sources: `api/` and cargo's documentation.
import { bin } from './setup/paths.mjs';
import { prepare } from './setup/prepare.mjs';
import { entry, note } from './setup/report.mjs';
import { must } from './setup/run.mjs';

await entry(async () => {
  await prepare();
  await must(bin('typedoc'), ['--logLevel', 'Warn'], { remedy: 'document what it names' });
  await must('cargo', ['doc', '--package', 'subcontract', '--no-deps', '--locked'], {
    env: { RUSTDOCFLAGS: '--deny warnings' },
    remedy: 'document what it names',
  });
  note('TypeScript: api/index.html; Rust: target/doc/subcontract/index.html');
});
