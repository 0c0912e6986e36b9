// A component of `subcontract/react` in a server component, with its style sheet.
import { RecordView } from 'subcontract/react';
import 'subcontract/styles.css';

export default function Page() {
  return <RecordView value={{ city: 'Wien' }} />;
}
