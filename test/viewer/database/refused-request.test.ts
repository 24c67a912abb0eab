import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { LogDatabase } from '../../../src/viewer/database/log-database.ts'
import { ProgramOutput } from '../../../src/viewer/inputs/program-output.ts'
import { RecordAdder } from '../../../src/viewer/store/record-adder.ts'
import { readRecord } from '../../output/written.ts'
import { RunningViewer } from '../running-viewer.ts'
import { requestOf } from '../support.ts'
import { defaultMaxBytes, inDirectory } from './support.ts'

test('a record of the output is a duplicate of a request that was refused and is sent again, once', async () => {
  await inDirectory(async (directory) => {
    const database = new LogDatabase(join(directory, 'a.db'), defaultMaxBytes)
    const viewer = await RunningViewer.start({ database })
    const { logs, duplicates } = viewer.server
    duplicates.begin()
    const output = new ProgramOutput('stdout', new RecordAdder(logs), duplicates)
    const write = (message: string) => output.record({ ...readRecord({ message, body: message }), time: 1_000 })
    const body = requestOf(['one', 'two'].map((text) => ({ time: 1_000, body: text, severityNumber: 9 })))
    write('one')
    const save = database.write.bind(database)
    database.write = () => {
      throw new Error('no disk')
    }
    expect((await viewer.post('/v1/logs', body)).status).toBe(503)
    database.write = save
    expect(duplicates.count).toBe(0)
    expect((await viewer.post('/v1/logs', body)).status).toBe(200)
    write('two')
    duplicates.flush()
    const messages = logs.segments.flatMap((segment) =>
      Array.from({ length: segment.count }, (_, index) => logs.readAt(segment, index).message),
    )
    expect(messages).toEqual(['one', 'two'])
    expect(duplicates.count).toBe(2)
    viewer.close()
  })
})
