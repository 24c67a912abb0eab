/** An error of the database file. Its message contains the cure. */
export class DatabaseError extends Error {}

/** The primary result codes of SQLite that are handled (https://sqlite.org/rescode.html). */
const busyCode = 5
const fullCode = 13
const notDatabaseCode = 26

/** Returns whether the file has reached its maximum size, or the disk is full. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === fullCode
}

/** Returns an error of SQLite, or of the file system, with what to do. */
export function databaseError(file: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const code = codeOf(error)
  if (code === busyCode)
    return new DatabaseError(`${file} is open in another viewer or program; close it, or name another file`)
  if (code === notDatabaseCode) return notOwnDatabase(file)
  // The system's message has the path by which the file was opened.
  return new DatabaseError(`${file}: ${messageOf(error).replace(/, \w+ '.*'$/s, '')}`)
}

/** Returns the error for a file that is something else. */
export function notOwnDatabase(file: string): DatabaseError {
  return new DatabaseError(`${file} is not a database of sluice ui; name another file, which is created`)
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}

/** Returns the primary result code of an error of SQLite; undefined for another error. */
function codeOf(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}
