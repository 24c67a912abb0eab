import type { SubjectName } from '../../subjects/index.ts'

interface Calls {
  /** Declares `log`. */
  readonly prefix: string
  /** One call of each kind, in the same order for all subjects; `id` is a number that differs between the calls. */
  readonly kinds: readonly ((id: number) => string)[]
}

const nested = (id: number): string =>
  `{ order: { id: ${id}, items: [{ sku: 'a-${id}', count: 2 }] }, tags: ['new', 'b2b'] }`

const sluice: Calls = {
  prefix: `import { createLogger } from 'sluice'\nconst log = createLogger({ name: 'bench' })`,
  kinds: [
    (id) => `log.info('message ${id}')`,
    (id) => `log.info('order {orderId} placed by {user}', { orderId: ${id}, user: 'u-${id}' })`,
    (id) => `log.error('could not charge {orderId}', { orderId: ${id} }, failure)`,
    (id) => `log.error(failure, 'attempt ${id} failed')`,
    (id) => `log.info('%s took %d ms', 'import', ${id})`,
    (id) => `log.info({ orderId: ${id}, user: 'u-${id}' }, 'order placed')`,
    (id) => `log.info('order placed', ${nested(id)})`,
    (id) => `log.debug(() => ['cache {size}', { size: ${id} }])`,
    (id) => `log.child({ requestId: 'r-${id}' }).info('done', { status: 200 })`,
    (id) => `try { work(${id}) } catch (error) { log.error('work failed', { id: ${id} }, error) }`,
  ],
}

const pino: Calls = {
  prefix: `import { pino } from 'pino'\nconst log = pino({ name: 'bench' })`,
  kinds: [
    (id) => `log.info('message ${id}')`,
    (id) => `log.info({ orderId: ${id}, user: 'u-${id}' }, 'order placed')`,
    (id) => `log.error({ err: failure, orderId: ${id} }, 'could not charge')`,
    (id) => `log.error(failure, 'attempt ${id} failed')`,
    (id) => `log.info('%s took %d ms', 'import', ${id})`,
    (id) => `log.info({ orderId: ${id}, user: 'u-${id}' }, 'order placed')`,
    (id) => `log.info(${nested(id)}, 'order placed')`,
    (id) => `if (log.isLevelEnabled('debug')) log.debug({ size: ${id} }, 'cache')`,
    (id) => `log.child({ requestId: 'r-${id}' }).info({ status: 200 }, 'done')`,
    (id) => `try { work(${id}) } catch (error) { log.error({ err: error, id: ${id} }, 'work failed') }`,
  ],
}

const winston: Calls = {
  prefix: `import { createLogger, format } from 'winston'\nconst log = createLogger({ format: format.json() })`,
  kinds: [
    (id) => `log.info('message ${id}')`,
    (id) => `log.info('order placed', { orderId: ${id}, user: 'u-${id}' })`,
    (id) => `log.error('could not charge', { orderId: ${id}, error: failure })`,
    (id) => `log.error('attempt ${id} failed', failure)`,
    (id) => `log.info('%s took %d ms', 'import', ${id})`,
    (id) => `log.info({ message: 'order placed', orderId: ${id}, user: 'u-${id}' })`,
    (id) => `log.info('order placed', ${nested(id)})`,
    (id) => `if (log.isLevelEnabled('debug')) log.debug('cache', { size: ${id} })`,
    (id) => `log.child({ requestId: 'r-${id}' }).info('done', { status: 200 })`,
    (id) => `try { work(${id}) } catch (error) { log.error('work failed', { id: ${id}, error }) }`,
  ],
}

const callsOf: Readonly<Partial<Record<SubjectName, Calls>>> = { sluice, baseline: sluice, 'pino-sync': pino, winston }

/**
 * Returns a program with a number of log calls, each in a function. It compiles only if the logger has a type.
 *
 * @throws Error if the subject has no such program, or the number is not a multiple of the number of kinds
 */
export function typesProgram(subject: SubjectName, calls: number): string {
  const { prefix, kinds } = callsOf[subject] ?? {}
  if (prefix === undefined || kinds === undefined) throw new Error(`the subject ${subject} has no program of log calls`)
  if (calls % kinds.length !== 0) throw new Error(`${calls} is not a multiple of ${kinds.length} kinds of calls`)
  const functions = Array.from({ length: calls / kinds.length }, (_, group) => {
    const statements = kinds.map((kind, index) => `  ${kind(group * kinds.length + index)}`)
    return `export function calls${group}(): void {\n${statements.join('\n')}\n}`
  })
  const check = `// @ts-expect-error the logger has a type, and no such method\nlog.noSuchMethod()`
  const declarations = `declare const failure: Error\ndeclare function work(id: number): void`
  return [prefix, declarations, check, ...functions, ''].join('\n')
}
