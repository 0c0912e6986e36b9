// The program in a client component, in the browser.
'use client';
import { useEffect } from 'react';
import * as subcontract from 'subcontract';
import { program } from '../../../program.mjs';

export default function Page() {
  useEffect(() => {
    program(subcontract).then((result) => {
      document.body.dataset.result = JSON.stringify(result);
    });
  }, []);
  return null;
}
