// Takes a response of server-sent events apart, as a client does: one JSON object a frame.
import type { AGUIEvent } from 'subcontract';

export interface Frame {
  /** As it came, up to its blank line. */
  text: string;
  event: AGUIEvent;
}

export async function* framesOf(response: Response): AsyncGenerator<Frame> {
  if (response.body === null) throw new Error('the response has no body');
  let buffer = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    buffer += text;
    const frames = buffer.split('\n\n');
    buffer = frames.pop() ?? '';
    for (const frame of frames) {
      yield { text: `${frame}\n\n`, event: JSON.parse(frame.replace(/^data: /, '')) as AGUIEvent };
    }
  }
}
