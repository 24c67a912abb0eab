import { subjects } from '../subjects/index.ts'
import type { Session } from './circumstances.ts'
import { titleOf, type Group } from './group.ts'
import { code, markdownTable, sidesOf } from './markdown.ts'
import { noiseOf } from './noise.ts'
import { noiseText } from './print.ts'
import type { Results } from './results.ts'

/** Describes the subjects, and what each does when its destination cannot keep up. */
export async function subjectsTable(groups: readonly Group[]): Promise<string> {
  const names = [...new Set(groups.flatMap(({ results }) => results.map(({ subject }) => subject)))]
  const rows = await Promise.all(
    names.map(async (name) => [name, await titleOf(name), (await subjects[name]()).whenFull]),
  )
  return markdownTable(['subject', 'description', 'when the destination cannot keep up'], sidesOf(3, 0), rows)
}

export function circumstancesText({ machine, versions, ...results }: Results): string {
  const { node, v8, sluice, ...packages } = versions
  const { earlier = [] } = results
  const rows = [
    ...earlier.flatMap(sessionRows),
    ...sessionRows(results).map(([name, text]) => [earlier.length > 0 ? `${name}, resumed` : name!, text!]),
    ['sluice', sluice!],
    ['Node', `${node}, V8 ${v8}`],
    ['processor', `${machine.cpu}, ${machine.cores} cores`],
    ['memory', machine.memory],
    ['system', `${machine.system}, ${machine.kernel}`],
    ['noise', noiseText(noiseOf(results.groups))],
    ...Object.entries(packages).map(([name, version]) => [code(name), version]),
  ]
  return markdownTable(['', ''], sidesOf(2, 0), rows)
}

function sessionRows({ command, date, minutes, commit, dirty }: Session): string[][] {
  return [
    ['command', code(command)],
    ['date', `${date}, ${minutes} minutes`],
    ['commit', commit + (dirty ? ', with uncommitted changes' : '')],
  ]
}
