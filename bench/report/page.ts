import { timesText } from './cells.ts'
import { problemsOf, type Group } from './group.ts'
import { code } from './markdown.ts'
import { bestOf, isNoisy, noiseOf } from './noise.ts'
import { circumstancesText, subjectsTable } from './page-circumstances.ts'
import { lostText, targetsMissedText, targetsText } from './page-comparisons.ts'
import { scenarioText } from './page-scenario.ts'
import { summaryTable } from './page-summary.ts'
import { noiseText } from './print.ts'
import type { Results } from './results.ts'

/** `docs/benchmarks.md`: what matters most to a newcomer first, then each question by itself. */
export async function pageText(results: Results): Promise<string> {
  const { groups } = results
  const scenarios = byScenario(groups)
  const best = bestOf(groups)
  return `${[
    '# Benchmarks',
    introduction(results),
    ...warnings(results),
    '## In short',
    howToRead,
    summaryTable(scenarios),
    targetsText(groups),
    '## Where others win',
    lostText(groups),
    '## Targets that are missed',
    targetsMissedText(groups),
    ...voidSection(groups),
    '## Question by question',
    ...scenarios.map((own) => scenarioText(own, best, results.runs)),
    '## Who was measured',
    await subjectsTable(groups),
    '## Where and when',
    circumstancesText(results),
    '## Make this page again',
    again,
  ].join('\n\n')}\n`
}

const introduction = ({ runs, date }: Results): string =>
  `What sluice costs beside other loggers, measured on ${date.slice(0, 10)}. Each subject ran ${timesText(runs)} where nothing else is said,
each time in a process of its own and in turn with the others, so that a ratio compares neighbours. What was written was
read back: a figure counts only where each timed record was whole and said what it had to say, and where none was missing
that was not counted as lost.`

const howToRead = `A ratio is the figure of sluice over that of the other: 0.25 is a quarter of the other's time. Where more is better (↑),
a ratio above 1 speaks for sluice. The usual other is the first that people would compare with, the strongest the one that
comes nearest or is better. Where the answer differs from variant to variant (destinations, sizes, frameworks), it is
given from the least to the most. All are medians, with the least and the most in brackets.

Of one record, \`loop\` is the time on the calling thread until the call has returned, \`drain\` until its last byte is
written, \`CPU\` that of all threads. \`null\` is \`/dev/null\`, \`pipe\` one whose reader is quick.`

const again = `\`\`\`sh
npm run bench -- --full --report                                            # measures everything, and writes this page
npm run bench -- --report --from docs/benchmarks/results.json               # draws it again without measuring
npm run bench -- --scenario object --variant file                           # one question, told on the terminal
\`\`\`

All figures of all runs are in [results.json](benchmarks/results.json). Ratios carry over to other machines better than
times do; where it matters, measure on yours.`

/** What a reader has to know before any figure. */
function warnings({ groups, planned, minutes }: Results): string[] {
  const noise = noiseOf(groups)
  return [
    ...(isNoisy(noise)
      ? [`**Noisy: this run deserves to be made again on a quieter machine.** ${noiseText(noise)}.`]
      : []),
    ...(groups.length < planned
      ? [`**Cut short: ${groups.length} of ${planned} groups were measured in ${minutes} minutes.**`]
      : []),
  ]
}

/** Who gave a reason not to believe its figures. */
function voidSection(groups: readonly Group[]): string[] {
  const lines = groups.flatMap(({ scenario, variant, results }) =>
    results.flatMap((result) =>
      problemsOf(result).map((problem) => `- ${scenario}, ${variant}, ${result.subject}: ${code(problem)}`),
    ),
  )
  return lines.length === 0 ? [] : ['## What does not count', 'VOID in the tables, and the reason.', lines.join('\n')]
}

function byScenario(groups: readonly Group[]): Group[][] {
  return [...Map.groupBy(groups, ({ scenario }) => scenario).values()]
}
