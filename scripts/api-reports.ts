// Compares the public API of each entry with its report in docs/api/. With --update it writes the reports instead.
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { globSync } from 'node:fs'

const localBuild = process.argv.includes('--update')

const configs = ['api-extractor.json', ...globSync('docs/api/*.json')].map((path) =>
  ExtractorConfig.loadFileAndPrepare(path),
)
// One program of the compiler for all entries takes a quarter of the time of one each.
const compilerState = CompilerState.create(configs[0]!, {
  additionalEntryPoints: configs.map((config) => config.mainEntryPointFilePath),
})
for (const config of configs) {
  const { succeeded, apiReportChanged } = Extractor.invoke(config, { localBuild, compilerState })
  if (succeeded) continue
  if (apiReportChanged)
    console.error(`${config.reportFilePath} is out of date: run \`npm run api\` and commit the report`)
  process.exitCode = 1
}
