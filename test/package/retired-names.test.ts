import { expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Former names of concepts that docs/glossary.md defines, and words that name nothing in the field. */
const retired = `
  Said sayKey emitSaid LevelCell Surroundings otherEnd Composed Outlet openOutlets Lane lossLane LossNotice lossNotice untold untell
  Ledger heir disown Outflow ExporterPort Relief giveWay shedOldest shedLowest Diversion Divert Decorator Loan ownExporter
  StandIn standIn FileCourse WriterKeeper Settlement holdUntil ReadableIntake Tally ExchangeScope Catcher RecordWay
  answersInTurn isInDoubt OnProblem onProblem hearUncaught frontRecords coverBy coverText
  whoever somebody anew
`
  .trim()
  .split(/\s+/)
const expression = new RegExp(`\\b(?:${retired.join('|')})\\b`, 'g')

function retiredNamesIn(text: string): string[] {
  return text.match(expression) ?? []
}

test('a retired name is found in code and in comments', () => {
  expect(
    retiredNamesIn('/** Somebody else. */ const lossLane = 1 // whoever logs\nexport interface Outlet {}'),
  ).toEqual(['lossLane', 'whoever', 'Outlet'])
})

test.each(globSync('src/*/', { cwd: root }).toSorted())('no file in %s has a retired name', (folder) => {
  const found = globSync('**/*.ts', { cwd: root + folder }).flatMap((path) =>
    retiredNamesIn(readFileSync(`${root}${folder}/${path}`, 'utf8')).map((name) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})
