import { burst } from './burst/method.ts'
import { count } from './count/method.ts'
import { encode } from './encode/method.ts'
import { firstLine } from './first-line/method.ts'
import { http } from './http/method.ts'
import { huge } from './huge/method.ts'
import { memory } from './memory/method.ts'
import type { Method } from './method.ts'
import { paced } from './paced/method.ts'
import { program } from './program/method.ts'
import { read } from './read/method.ts'
import { start } from './start/method.ts'
import { types } from './types/method.ts'
import { viewer } from './viewer/method.ts'
import { viewerPage } from './viewer-page/method.ts'

/** The methods by name. */
export const methods = {
  burst,
  count,
  encode,
  huge,
  http,
  program,
  paced,
  memory,
  read,
  start,
  types,
  viewer,
  'first-line': firstLine,
  'viewer-page': viewerPage,
} as const satisfies Readonly<Record<string, Method>>

export type MethodName = keyof typeof methods
