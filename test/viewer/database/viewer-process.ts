import { LogDatabase } from '../../../src/viewer/database/log-database.ts'
import { PageFiles } from '../../../src/viewer/server/page-files.ts'
import { ViewerServer } from '../../../src/viewer/server/viewer-server.ts'

/** A viewer with a database, in a process of its own. It writes its port, and stops at SIGTERM. */
const [file = ''] = process.argv.slice(2)
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
process.stdout.write(`${await server.listen()}\n`)
await server.archive?.load()
