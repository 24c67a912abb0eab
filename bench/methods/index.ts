import { burst } from './burst/method.ts'
import type { Method } from './method.ts'

/** By the name that scenarios call them. */
export const methods = { burst } as const satisfies Readonly<Record<string, Method>>

export type MethodName = keyof typeof methods
