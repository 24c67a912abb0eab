import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { apiEntries, modelPath } from './entries.ts'

/**
 * Writes api-extractor's model of each entry to temp/api/, if the declarations in dist/ changed since the last time. One program of the
 * compiler for all entries takes a quarter of the time of one each.
 *
 * @param repository - the root of the repository
 */
export function writeModels(repository: string): void {
  const hash = hashOfInputs(repository)
  const hashPath = join(repository, 'temp/api/declarations.sha256')
  if (existsSync(hashPath) && readFileSync(hashPath, 'utf8') === hash) return
  const configs = apiEntries.map((entry) =>
    modelConfig(repository, `dist/esm/${entry.file}.d.ts`, modelPath(repository, entry)),
  )
  const compilerState = CompilerState.create(configs[0]!, {
    additionalEntryPoints: configs.map((config) => config.mainEntryPointFilePath),
  })
  for (const config of configs) {
    const { succeeded } = Extractor.invoke(config, {
      localBuild: true,
      compilerState,
      messageCallback: (message) => {
        // Reported for each entry: the version of the compiler, and types that only another entry exports.
        if (/^console-|^ae-forgotten-export$/.test(message.messageId)) message.handled = true
      },
    })
    if (!succeeded) throw new Error(`${config.mainEntryPointFilePath}: the model was not created`)
  }
  writeFileSync(hashPath, hash)
}

function modelConfig(repository: string, declarations: string, apiJsonFilePath: string): ExtractorConfig {
  const path = join(repository, 'api-extractor.json')
  const config = ExtractorConfig.loadFile(path)
  return ExtractorConfig.prepare({
    configObject: {
      ...config,
      mainEntryPointFilePath: resolve(repository, declarations),
      apiReport: { enabled: false },
      // With the types that an entry uses and does not export, each reference leads to the file of its declaration.
      docModel: { enabled: true, apiJsonFilePath, includeForgottenExports: true },
    },
    configObjectFullPath: path,
    packageJsonFullPath: join(repository, 'package.json'),
  })
}

function hashOfInputs(repository: string): string {
  const declarations = globSync('dist/**/*.d.ts', { cwd: repository }).toSorted()
  if (declarations.length === 0) throw new Error('dist/ has no declarations: run `npm run build`')
  const hash = createHash('sha256')
  for (const path of ['api-extractor.json', 'tsdoc.json', 'docs/site/api/models.ts', ...declarations])
    hash.update(`${path}\n`).update(readFileSync(join(repository, path)))
  return hash.digest('hex')
}
