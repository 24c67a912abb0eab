import * as fs from 'node:fs'
import type { PathCalls } from '../../../src/platform/node/resolve-path.ts'

/** The file system of a machine without procfs. */
export const withoutProcfs: PathCalls = {
  ...fs,
  statSync: ((path: fs.PathLike, options?: fs.StatSyncOptions) => {
    if (!String(path).startsWith('/proc/')) return fs.statSync(path, options)
    throw Object.assign(new Error('none'), { code: 'ENOENT' })
  }) as typeof fs.statSync,
}
