// The texts of the cards, which a page can give in another language.
import { createContext, useContext } from 'react';

/** A text of the cards: the English one. `{0}` and `{1}` stand for what it speaks of. */
export type CardLabel =
  // How a child stands
  | 'Connection lost'
  | 'Running'
  | 'Waiting for you'
  | 'Finished'
  | 'Failed'
  | 'Cancelled'
  | 'Attempt {0}'
  | 'Attempt {0} of {1}'
  | 'Stop'
  // What it was asked, and says
  | 'Brief'
  | 'Whole brief'
  | 'Answer'
  | 'Latest words'
  | 'What it asks comes when the run around it pauses.'
  // What it asks a person
  | 'Approve'
  | 'Approve with changes'
  | 'Edit'
  | 'Deny'
  | 'Dismiss'
  | 'Back'
  | 'Change'
  | 'Send'
  | 'Arguments'
  | 'Answer, as JSON'
  | 'Choose…'
  | 'This is no JSON.'
  | 'It has expired, and can only be dismissed.'
  | 'Approved'
  | 'Denied'
  | 'Dismissed'
  | 'Answered'
  // Attempts and issues
  | 'Refused attempts'
  | 'refused'
  | 'refused while it was written'
  | 'ended without a return'
  | '1 issue'
  | '{0} issues'
  | 'and {0} more'
  | '(root)'
  // The return
  | 'Return'
  | 'Record'
  | 'accepted'
  | 'unfinished'
  | 'not accepted'
  | 'breaks the contract'
  | 'satisfies the contract'
  | 'too long to be followed'
  | 'being written'
  | 'Found in this page:'
  | 'Breaks its contract by this page’s own check'
  | 'Valid by this page’s own check'
  | 'Valid by this page’s own check, and the same as streamed in'
  | 'Valid by this page’s own check, but not what streamed in'
  | 'no contract to check against'
  | 'not checked: this page does not know the contract'
  | 'not checked: the child was held to another contract than this page knows'
  | 'Degraded'
  | 'Amended'
  // The research record
  | 'Findings'
  | 'Open questions'
  | 'Assumptions'
  | 'Not searched'
  | 'Searched'
  | '{0} found'
  | '{0} open'
  | '{0} assumed'
  | '{0} not searched'
  | 'Provenance'
  | 'confidence:'
  | 'Would settle it:'
  | 'Follow up'
  | 'The child says that it stopped for lack of budget.'
  | 'The child counts {0} tool calls.'
  // Values and texts
  | 'none'
  | 'empty'
  | 'Show {0} more of {1}'
  | '… {0} characters before'
  | '… {0} more characters'
  | '… {0} characters are not kept'
  | 'a character that would not be seen'
  // Tool calls
  | 'Tool calls'
  | '{0} earlier ones are not kept'
  | 'running'
  | 'waiting for an answer'
  | 'done'
  | 'Result'
  | 'Transcript'
  | 'Reading…'
  | 'Arguments in the transcript'
  | 'Result in the transcript'
  | 'Cut {0}'
  | 'No transcript: {0}'
  // The foot
  | '{0} tokens in, {1} out'
  | 'transcript {0}'
  | 'contract {0}';

/** Texts in another language, by the English ones; those that are missing stay English. */
export type CardLabels = { readonly [label in CardLabel]?: string } & {
  /** How numbers are written: a BCP 47 tag. Default: `en`. */
  readonly locale?: string;
};

const Labels = /* @__PURE__ */ createContext<CardLabels>({});

/** Gives the cards below it their texts. */
export const CardLabelsProvider = Labels.Provider;

/** A text in the page's language, with what it speaks of. */
export type Say = (label: CardLabel, ...values: readonly (string | number)[]) => string;

/** What gives the cards' texts. */
export function useLabels(): Say {
  const labels = useContext(Labels);
  return (label, ...values) =>
    (labels[label] ?? label).replace(/\{(\d)\}/g, (_, at) => values[at]?.toLocaleString(labels.locale ?? 'en') ?? '');
}

/** A text alone. */
export function Label({ text, values = [] }: { text: CardLabel; values?: readonly (string | number)[] | undefined }) {
  return useLabels()(text, ...values);
}
