import { createRequire } from 'node:module'
import { ownProgram } from '../../exporters/bundled-program.ts'
import type * as YamlParser from './yaml-parser.ts'

/** Loads the YAML parser. Returns undefined where its file is missing, for example because a bundler left it behind. */
export function loadYaml(): typeof YamlParser | undefined {
  const file = ownProgram('../otel/configuration-file/yaml-parser', '.cjs')
  return file === undefined ? undefined : (createRequire(file)(file) as typeof YamlParser)
}
