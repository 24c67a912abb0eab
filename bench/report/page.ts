import { problemsOf, type Group } from './group.ts'
import { code } from './markdown.ts'
import { bestOf } from './noise.ts'
import { circumstancesText, subjectsTable } from './page-circumstances.ts'
import { lostText, targetsMissedText, targetsText } from './page-comparisons.ts'
import { introduction, summarySections, warnings } from './page-lead.ts'
import { scenarioText } from './page-scenario.ts'
import { summaryTable } from './page-summary.ts'
import type { Results } from './results.ts'

/** `docs/benchmarks.md`: a summary that is read in a minute, then the tables. */
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
    lostText(groups),
    '## Missed targets',
    targetsMissedText(groups),
    ...invalidSection(groups),
    '## Scenarios',
    ...scenarios.map((own) => scenarioText(own, best, results.runs)),
    '## Subjects',
    await subjectsTable(groups),
    '## Environment',
    circumstancesText(results),
    '## Measuring again',
    again,
  ].join('\n\n')}\n`
}

const measureSummary = '`npm run bench` measures this summary again, in less than ten minutes on two cores.'

const howToRead = `A ratio is the figure of sluice divided by that of the other logger: 0.25 is a quarter of the other's time. Where more is
better (↑), a ratio above 1 is in favor of sluice. The usual rival is the first that users would compare with; the strongest
rival is the one with the best figure. Where a scenario has several variants (destinations, sizes, frameworks), the table has
the range of their medians.

Of one record, \`loop\` is the time on the calling thread until the call has returned, \`drain\` the time until its last byte is
written, and \`CPU\` the CPU time of all threads of the process. \`null\` is \`/dev/null\`, and \`pipe\` a pipe with a fast reader.`

const again = `\`\`\`sh
npm run bench                                                 # the summary, in less than ten minutes
npm run bench -- --scenario object --variant file             # one scenario
npm run bench -- --full --report                              # everything: more than an hour; writes this page
npm run bench -- --report --from docs/benchmarks/results.json # writes this page again without measuring
\`\`\`

[results.json](benchmarks/results.json) has the figures of each run. Ratios differ less between machines than times do.
Measure on your own machine before you rely on either.`

/** Subjects whose figures do not count, and the reason. */
function invalidSection(groups: readonly Group[]): string[] {
  const lines = groups.flatMap(({ scenario, variant, results }) =>
    results.flatMap((result) =>
      problemsOf(result).map((problem) => `- ${scenario}, ${variant}, ${result.subject}: ${code(problem)}`),
    ),
  )
  if (lines.length === 0) return []
  return [
    '## Invalid results',
    'These figures do not count, and the tables have INVALID in their place:',
    lines.join('\n'),
  ]
}

function byScenario(groups: readonly Group[]): Group[][] {
  return [...Map.groupBy(groups, ({ scenario }) => scenario).values()]
}
