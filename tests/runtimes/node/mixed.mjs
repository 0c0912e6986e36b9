// Several entries in one program: they must share one core.

import * as main from 'subcontract';
import * as init from 'subcontract/init';
import * as inline from 'subcontract/inline';
import { program } from '../program.mjs';

const sameFunctions = main.compileContract === inline.compileContract && main.compileContract === init.compileContract;
console.log(JSON.stringify({ sameFunctions, result: program(init) }));
