import { DatabaseError } from './database-error.ts'

type Sqlite = typeof import('node:sqlite')

/**
 * Loads `node:sqlite` without its warning that it is experimental, which the users of a program do not need.
 *
 * @throws DatabaseError if this version of Node does not have it.
 */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined
    if (sqlite !== undefined) return sqlite
  } finally {
    process.emitWarning = emitWarning
  }
  throw new DatabaseError(`Node ${process.version} has no node:sqlite; use Node 22.15 or later`)
}
