import { afterAll, beforeAll } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { requestKeeper, type RequestKeeper } from './request-keeper.ts'
import { runEntry, type Outcome, type Plan, type Pollution } from './run-entry.ts'

type OwnPlan = Omit<Plan, 'directory' | 'collector'>

/** Sets up a directory and a collector for the tests of a file. Returns a function that runs a scenario with them. */
export function scenarioRunner(): (plan: OwnPlan, pollution: Pollution) => Promise<Outcome> {
  let directory: TemporaryDirectory
  let collector: RequestKeeper
  beforeAll(async () => {
    directory = temporaryDirectory()
    collector = await requestKeeper(directory.path('.'))
  })
  afterAll(async () => {
    await collector.close()
    directory.remove()
  })
  return (plan, pollution) => runEntry({ ...plan, directory: directory.path('.'), collector: collector.url }, pollution)
}
