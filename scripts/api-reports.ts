// Compares the public API of each entry with its report in docs/api/. With --update it writes the reports instead.
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { globSync } from 'node:fs'

const localBuild = process.argv.includes('--update')

for (const path of ['api-extractor.json', ...globSync('docs/api/*.json')]) {
  const config = ExtractorConfig.loadFileAndPrepare(path)
  const { succeeded, apiReportChanged } = Extractor.invoke(config, { localBuild })
  if (succeeded) continue
  if (apiReportChanged)
    console.error(`${config.reportFilePath} is out of date: run \`npm run api\` and commit the report`)
  process.exitCode = 1
}
