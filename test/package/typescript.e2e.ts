import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { needs } from '../support/needs.ts'
import { createConsumer, root } from '../support/types/consumer.ts'

const compilers = join(root, 'test/typescript/node_modules')
const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))
const specifierOf = (entry: string): string => entry.replace('.', 'sluice')

const withCompilers = needs('older compilers (npm --prefix test/typescript ci)', existsSync(compilers))
const withBuild = needs('a build (npm run build)', existsSync(join(root, 'dist/cjs/index.d.ts')))

const everyEntry = entries
  .map((entry, number) => `import * as entry${number} from '${specifierOf(entry)}'\nvoid entry${number}\n`)
  .join('')

/** Exports whose types the compiler infers and writes into the declarations of the program. */
const inferred = `import { createLogger, defineEvent, logger } from 'sluice'
import { fdExporter, fileExporter, memoryExporter, otlpExporter, retry, spool } from 'sluice/exporters'
import { createLoggerProvider } from 'sluice/otel'
import { requestLog } from 'sluice/express'
import { captureLogs, matchers } from 'sluice/testing'
export const log = createLogger({ levels: { notice: 10 }, types: {} as { attributes: { id: number } } })
export const child = log.child({ part: 'http' }, { level: 'notice' })
export const plain = logger.child({})
export const placed = defineEvent('order.placed', { message: 'order {orderId} placed', types: {} as { attributes: { orderId: number } } })
export const exporters = [fdExporter(), fileExporter({ path: 'a' }), memoryExporter(), retry(otlpExporter()), spool(otlpExporter(), { directory: 'b', maxBytes: 1e6 })]
export const provider = createLoggerProvider({ exporter: exporters })
export const requests = requestLog({ logger })
export const logs = captureLogs({ from: log })
export const records = logs.records
export const functions = { ...matchers }
export const stats = () => log.stats()
`

/** Exports with their types, as `isolatedDeclarations` requires. */
const annotated = `import { createLogger, type Logger, type LoggerOptions, type RootLogger, type Stats } from 'sluice'
import type { Exporter } from 'sluice/exporters'
import { captureLogs, type Captured } from 'sluice/testing'
const level: string | undefined = process.env['LOG_LEVEL']
export const options: LoggerOptions = { name: process.env['NAME'], level: undefined, redact: undefined, exporter: undefined }
export const log: RootLogger = createLogger(options)
export const child: Logger = log.child({ part: 'http' }, { level, messagePrefix: process.env['PREFIX'] })
export const logs: Captured = captureLogs({ from: undefined, level: undefined })
export const stats: () => Stats = () => log.stats()
export const exporters: readonly Exporter[] = [logs.exporter({ level })]
`

/** Passes `undefined` as each optional member of each type of options. */
const undefinedOptions = (entry: string): string => `import type * as entry from '${specifierOf(entry)}'
type Optional<T> = { [K in keyof T as Record<never, never> extends Pick<T, K> ? K : never]: undefined }
declare function accept<T>(options: Optional<T> extends Partial<T> ? true : Optional<T>): void
${optionTypesOf(entry)
  .map((name) => `accept<entry.${name}${name === 'EventOptions' ? '<object, string>' : ''}>(true)\n`)
  .join('')}`

/** Returns the names of the exported types of options. */
function optionTypesOf(entry: string): string[] {
  const name = entry === '.' ? 'index' : entry.slice(2)
  const file = join(root, 'dist/cjs', `${name}.d.ts`)
  if (!existsSync(file)) return []
  const exported = [...readFileSync(file, 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list]) =>
    list!.split(','),
  )
  return exported
    .map((one) => one.split(' as ').at(-1)!.replace('type ', '').trim())
    .filter((one) => one.endsWith('Options'))
}

const resolutions = ['node16', 'nodenext', 'bundler'] as const
const versions = Object.keys(
  JSON.parse(readFileSync(join(root, 'test/typescript/package.json'), 'utf8')).dependencies as object,
)
  .filter((name) => name.startsWith('typescript-'))
  .map((name) => [name, join(compilers, name, 'bin/tsc')] as const)
const ownCompiler = [
  `typescript ${manifest.devDependencies.typescript}`,
  join(root, 'node_modules/typescript/bin/tsc'),
] as const

const consumer = createConsumer()
const project = consumer.folder

beforeAll(() => {
  symlinkSync(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'), 'junction')
  const undefinedPrograms = entries.map(
    (entry, number) => [`undefined-${number}.mts`, undefinedOptions(entry)] as const,
  )
  const programs = [
    ['entries.mts', everyEntry],
    ['entries.cts', everyEntry],
    ['annotated.mts', annotated],
    ['inferred.mts', inferred],
    ...undefinedPrograms,
  ]
  for (const [name, text] of programs) writeFileSync(join(project, name), text)
})

afterAll(() => consumer[Symbol.dispose]())

/** Returns the compiler errors of programs under the strictest options. */
function compile(
  tsc: string,
  resolution: (typeof resolutions)[number],
  files: readonly string[],
  isolated = false,
): string {
  const options = [
    '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false',
    `--target es2022 --lib es2022 --types node --moduleResolution ${resolution}`,
    `--module ${resolution === 'bundler' ? 'esnext' : resolution}`,
    `--declaration --emitDeclarationOnly --outDir out ${isolated ? '--isolatedDeclarations' : ''}`,
  ]
  const words = options.join(' ').trim().split(' ')
  try {
    return execFileSync(process.execPath, [tsc, ...words, ...files], { cwd: project, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

describe.each([
  ...versions.map(([name, tsc]) => [name, tsc, withCompilers] as const),
  [...ownCompiler, withBuild] as const,
])('declarations under %s', (_, tsc, test) => {
  test.each(resolutions)('all entries compile with skipLibCheck: false and moduleResolution %s', (resolution) => {
    const undefinedPrograms = entries.map((_, number) => `undefined-${number}.mts`)
    const files = ['entries.mts', 'entries.cts', 'annotated.mts', ...undefinedPrograms]
    expect(compile(tsc, resolution, files, true)).toBe('')
  })

  test('the compiler can name every inferred type in the declarations of a program', () => {
    expect(compile(tsc, 'nodenext', ['inferred.mts'])).toBe('')
  })
})

withBuild('the types of options are found in the declarations', () => {
  expect(entries.flatMap(optionTypesOf).length).toBeGreaterThan(20)
})

test('the declarations are checked with each minor version of TypeScript from 5.6 to 6.0', () => {
  expect(versions.map(([name]) => name)).toEqual(
    ['5.6', '5.7', '5.8', '5.9', '6.0'].map((version) => `typescript-${version}`),
  )
})
