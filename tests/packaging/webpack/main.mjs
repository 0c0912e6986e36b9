// The page's script, as webpack takes it.
import * as subcontract from 'subcontract';
import { program } from '../program.mjs';

document.body.dataset.result = JSON.stringify(await program(subcontract));
