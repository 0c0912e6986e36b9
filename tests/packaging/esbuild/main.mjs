// The page's script for bundlers that copy no files: the core is inside.
import * as subcontract from 'subcontract/inline';
import { program } from '../program.mjs';

program(subcontract).then((result) => {
  document.body.dataset.result = JSON.stringify(result);
});
