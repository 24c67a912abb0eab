import { subjects } from '../subjects/index.ts'
import { titleOf, type Group } from './group.ts'
import { code, markdownTable, sidesOf } from './markdown.ts'
import { noiseOf } from './noise.ts'
import { noiseText } from './print.ts'
import type { Results } from './results.ts'

/** A description of the subjects, and what each does when its destination accepts less than it is given. */
export async function subjectsTable(groups: readonly Group[]): Promise<string> {
  const names = [...new Set(groups.flatMap(({ results }) => results.map(({ subject }) => subject)))]
  const rows = await Promise.all(
    names.map(async (name) => [name, await titleOf(name), (await subjects[name]()).whenFull]),
  )
  return markdownTable(['subject', 'description', 'when its destination is full'], sidesOf(3, 0), rows)
}

export function circumstancesText({ machine, versions, ...results }: Results): string {
  const { node, v8, sluice, ...packages } = versions
  const rows = [
    ['command', code(results.command)],
    ['date', `${results.date}, ${results.minutes} minutes`],
    ['commit', results.commit + (results.dirty ? ', with uncommitted changes' : '')],
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
