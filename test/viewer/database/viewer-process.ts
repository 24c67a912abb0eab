import { LogDatabase } from '../../../src/viewer/database/log-database.ts'
import { PageFiles } from '../../../src/viewer/server/page-files.ts'
import { RecordAdder } from '../../../src/viewer/store/record-adder.ts'
import { ViewerServer } from '../../../src/viewer/server/viewer-server.ts'

/** A viewer with a database, in a process of its own. It writes its port, and stops at SIGTERM. With `lines`, it adds numbered lines of output. */
const [file = '', lines] = process.argv.slice(2)
const server = new ViewerServer({
  host: '127.0.0.1',
  port: 0,
  token: undefined,
  maxBytes: 64_000_000,
  page: new PageFiles(new Map()),
  database: new LogDatabase(file, 256_000_000),
})
process.once('SIGTERM', () => {
  server.close()
  process.exit(0)
})
if (lines === 'lines') {
  const adder = new RecordAdder(server.logs)
  const origin = { file: 'program', line: Number.NaN, container: undefined, stream: undefined }
  let next = 0
  setInterval(() => adder.text(Buffer.from(`line ${process.pid} ${next++}`), origin), 3)
}
process.stdout.write(`${await server.listen()}\n`)
await server.archive?.load()
