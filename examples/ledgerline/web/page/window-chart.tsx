// What the parent's window holds when the children hand over transcripts, summaries or records: bars, and the same as a table.
import type { Arm, Figures } from '../../measure.js';

const ARMS: { arm: Arm; name: string }[] = [
  { arm: 'transcripts', name: 'Transcripts' },
  { arm: 'summaries', name: 'Summaries' },
  { arm: 'envelopes', name: 'Records' },
];

/** In pixels: the text stays as large as it is, however narrow the window. */
const BAR = 22;
const ROW = 52;
/** How much of the width the longest bar takes; its figure stands beside it. */
const LONGEST = 78;

export function WindowChart({ figures }: { figures: Figures }) {
  const { window, caveats, children } = figures;
  const kept = (arm: Arm) => caveats.filter(({ presence }) => presence[arm] === 'kept').length;
  const most = Math.max(...ARMS.map(({ arm }) => window[arm]));
  const percent = (tokens: number) => `${((tokens / most) * LONGEST).toFixed(2)}%`;
  return (
    <figure className="panel window" aria-labelledby="window-title">
      <figcaption id="window-title">
        <h2>The parent’s window, in tokens</h2>
        <p className="note">
          Counted on what was sent in this conversation. Only the records were handed over; the other two are put in
          their place.
        </p>
      </figcaption>
      <svg width="100%" height={ROW * ARMS.length} role="img" aria-label="Bars of the table below" focusable="false">
        {ARMS.map(({ arm, name }, row) => {
          const y = row * ROW + ROW - BAR;
          return (
            <g key={arm} className={`arm ${arm}`}>
              <text x={0} y={y - 12} className="name">
                {name}
              </text>
              <rect x={0} y={y} width={percent(window.before)} height={BAR} className="before" />
              <rect
                x={percent(window.before)}
                y={y}
                width={percent(window[arm] - window.before)}
                height={BAR}
                className="added"
              />
              <text x={percent(window[arm])} dx={8} y={y + BAR / 2} className="value">
                {number(window[arm])}
              </text>
            </g>
          );
        })}
      </svg>
      <p className="legend">
        <span className="swatch before" /> before delegating, {number(window.before)}
        <span className="swatch added" /> handed over
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls in a narrow window, and has to from the keyboard as well */}
      <section className="scrolls" tabIndex={0} aria-label="Figures of the window">
        <table>
          <thead>
            <tr>
              <th scope="col">Handed over</th>
              <th scope="col">Window</th>
              <th scope="col">Growth</th>
              {children.map(({ name }) => (
                <th scope="col" key={name}>
                  {name.split('_')[0]}
                </th>
              ))}
              <th scope="col">Caveats kept</th>
            </tr>
          </thead>
          <tbody>
            {ARMS.map(({ arm, name }) => (
              <tr key={arm}>
                <th scope="row">{name}</th>
                <td>{number(window[arm])}</td>
                <td>+{Math.round((100 * (window[arm] - window.before)) / window.before)} %</td>
                {children.map((child) => (
                  <td key={child.name}>{number(child.handedOver[arm])}</td>
                ))}
                <td>
                  {kept(arm)} of {caveats.length}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="note">
        A transcript has every caveat because its child wrote a record; without a contract it would not have. The
        summaries of a scripted run are written for the demo: they show what can get lost, not how often.
      </p>
    </figure>
  );
}

const number = (value: number) => value.toLocaleString('en-US');
