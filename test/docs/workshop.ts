import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * A folder outside the repository in which programs are compiled and run as users write them. `import 'sluice'` resolves to a
 * package whose entries are the source files, so no build is needed.
 */
export class Workshop {
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-docs-')))

  constructor() {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>
    }
    const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))
    const exports = Object.fromEntries(
      entries.map((entry) => [
        entry,
        entry === '.' ? './src/entries/index.ts' : entry.replace('./', './src/entries/') + '.ts',
      ]),
    )
    this.write('node_modules/sluice/package.json', JSON.stringify({ name: 'sluice', type: 'module', exports }))
    symlinkSync(join(root, 'src'), join(this.folder, 'node_modules/sluice/src'))
    // Other packages that programs in the documentation use.
    for (const name of [
      '@types',
      '@opentelemetry',
      '@logtape',
      'bole',
      'bunyan',
      'eslint',
      'pino',
      'pino-http',
      'tslog',
      'winston',
      ...frameworks,
    ]) {
      symlinkSync(join(root, 'node_modules', name), join(this.folder, 'node_modules', name))
    }
    this.write('package.json', JSON.stringify({ type: 'module' }))
  }

  /** Adds a program in a separate folder, which is its working directory. */
  add(name: string, text: string): void {
    this.write(`programs/${name}/program.ts`, text)
  }

  /** Returns the current text of a program. */
  read(name: string): string {
    return readFileSync(join(this.folder, `programs/${name}/program.ts`), 'utf8')
  }

  /** Returns the compiler errors of all programs, or ''. */
  async compile(): Promise<string> {
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
    this.write(
      'tsconfig.json',
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['programs'] }),
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const output = await this.node([tsc, '-p', this.folder, '--pretty', 'false'], this.folder)
    // A message may continue in indented lines. Errors in src/ are ignored, because another check reports them.
    const messages = output.match(/^\S.*\n(?: .*\n)*/gm) ?? []
    const ours = messages.filter((message) => !/^\.\..*\/src\//.test(message))
    return ours.join('').replaceAll(/^programs\/(.*)\/program\.ts/gm, '$1')
  }

  /** Runs a program. Returns its standard output followed by its standard error. */
  run(name: string, ...args: readonly string[]): Promise<string> {
    return this.node(
      ['--disable-warning=ExperimentalWarning', 'program.ts', ...args],
      join(this.folder, 'programs', name),
    )
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Runs Node with a timeout of 30 s. Any exit code is accepted. */
  private node(args: readonly string[], cwd: string): Promise<string> {
    // The programs load nearly the same files of src/. The cache of code without types saves 0.4 s of 0.6 s per program.
    const NODE_COMPILE_CACHE = join(this.folder, 'compiled')
    const options = { cwd, env: { ...env, NODE_COMPILE_CACHE }, timeout: 30_000, killSignal: 'SIGKILL' } as const
    return new Promise((resolve, reject) => {
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        if (error?.killed === true || typeof error?.code === 'string') reject(error)
        else resolve(stdout + stderr)
      })
    })
  }

  private write(path: string, text: string): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }
}

const frameworks = ['express', 'fastify', 'koa', 'hono', '@nestjs', 'reflect-metadata']

/** The environment without variables that change the output. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(SLUICE|OTEL)_|^(NODE_ENV|NODE_OPTIONS|NO_COLOR|FORCE_COLOR|LOG_LEVEL)$/.test(name),
  ),
)
