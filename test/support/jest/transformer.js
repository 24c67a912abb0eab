import { createHash } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'

/** Replaces types by spaces and keeps all other positions, so stack traces and coverage need no source map. */
export default {
  process: (source, path) => ({ code: stripTypeScriptTypes(source, { sourceUrl: path }) }),
  getCacheKey: (source, path) => createHash('sha256').update(process.version).update(path).update(source).digest('hex'),
}
