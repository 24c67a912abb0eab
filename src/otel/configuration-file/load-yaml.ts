import { createRequire } from 'node:module'
import { findBundledProgram } from '../../exporters/bundled-program.ts'
import type * as YamlParser from './yaml-parser.ts'

/** Loads the YAML parser. Returns undefined when its file is missing, for example because a bundler did not copy it. */
export function loadYaml(): typeof YamlParser | undefined {
  const file = findBundledProgram('../otel/configuration-file/yaml-parser', '.cjs')
  return file === undefined ? undefined : (createRequire(file)(file) as typeof YamlParser)
}
