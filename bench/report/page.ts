import { problemsOf, type Group } from './group.ts'
import { code } from './markdown.ts'
import { bestOf } from './noise.ts'
import { circumstancesText, subjectsTable } from './page-circumstances.ts'
import { betterRivalsText, missedTargetsText, targetsText } from './page-comparisons.ts'
import { introduction, summarySections, warnings } from './page-lead.ts'
import { scenarioText } from './page-scenario.ts'
import { summaryTable } from './page-summary.ts'
import type { Results } from './results.ts'

/** Returns the text of `docs/benchmarks.md`: a short summary, then the tables. */
export async function pageText(results: Results): Promise<string> {
  const { groups } = results
  const scenarios = byScenario(groups)
  const best = bestOf(groups)
  const summary = summarySections(groups)
  return `${[
    '# Benchmarks',
    introduction(results),
    ...warnings(results),
    ...(summary.length === 0 ? [] : ['## Summary', ...summary, measureSummary]),
    '## All scenarios',
    howToRead,
    summaryTable(scenarios),
    targetsText(groups),
    '## Where other loggers win',
    betterRivalsText(groups),
    '## Missed targets',
    missedTargetsText(groups),
    ...invalidSection(groups),
    '## Scenarios',
    ...scenarios.map((own) => scenarioText(own, best, results.runs)),
    '## Subjects',
    await subjectsTable(groups),
    '## Environment',
    circumstancesText(results),
    '## Running the benchmarks',
    again,
  ].join('\n\n')}\n`
}

const measureSummary = 'Run `npm run bench` to repeat this summary. It takes less than ten minutes on two cores.'

const howToRead = `A ratio is the figure of sluice divided by that of the other logger: 0.25 is a quarter of the other's time. For figures
marked with ↑, higher is better, and a ratio above 1 is in favor of sluice. The main rival is the logger that users would
compare with first, the strongest rival the one with the best figure. For a scenario with several variants (destinations,
sizes, frameworks), the table shows the range of their medians.

Per record, \`loop\` is the time on the calling thread until the call has returned, \`drain\` the time until its last byte is
written, and \`CPU\` the CPU time of all threads of the process. \`null\` is \`/dev/null\`, and \`pipe\` a pipe with a fast reader.`

const again = `\`\`\`sh
npm run bench                                                 # the summary, in less than ten minutes
npm run bench -- --scenario object --variant file             # one scenario
npm run bench -- --full --report                              # all scenarios, more than an hour; writes this page
npm run bench -- --report --from docs/benchmarks/results.json # generates this page again without measuring
\`\`\`

[results.json](benchmarks/results.json) has the figures of each run. Ratios vary less between machines than times do.
Measure on your own machine before you rely on either.`

/** Lists the subjects whose figures are invalid, and the reasons. */
function invalidSection(groups: readonly Group[]): string[] {
  const lines = groups.flatMap(({ scenario, variant, results }) =>
    results.flatMap((result) =>
      problemsOf(result).map((problem) => `- ${scenario}, ${variant}, ${result.subject}: ${code(problem)}`),
    ),
  )
  if (lines.length === 0) return []
  return ['## Invalid results', 'These figures are not used, and the tables show INVALID instead:', lines.join('\n')]
}

function byScenario(groups: readonly Group[]): Group[][] {
  return [...Map.groupBy(groups, ({ scenario }) => scenario).values()]
}
