import {
  ConfigurationError,
  createLogger,
  jsonLines,
  type EncodedBatch,
  type Exporter,
  type ExportResult,
  type Redact,
} from '../../../../../src/entries/core.ts'
import { explainRedaction } from '../../../../../src/testing/explain-redaction.ts'
import type { RedactionProblem, RedactionRequest, TestedRedaction } from '../messages.ts'
import { ProgramError } from '../program-error.ts'
import { parseLiteral } from './parse-literal.ts'
import { redactedRows } from './redacted-rows.ts'

/** The maximum number of redacted values that are shown. */
const maxRows = 1_000

/** Returns what redaction rules do to a sample, or what is wrong with the rules or the sample. */
export function testRedaction({ rules, sample }: RedactionRequest): TestedRedaction {
  const problems: RedactionProblem[] = []
  const redact = parseField('rules', rules, problems) as Redact | undefined
  const value = parseField('sample', sample, problems) as object | string
  const isSample = typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
  if (problems.length === 0 && !isSample)
    problems.push({ field: 'sample', message: 'must be an object with attributes, or a string with a message' })
  if (problems.length > 0) return failed(problems)
  try {
    const redacted = redactedRows(explainRedaction(redact, value), maxRows)
    return { kind: 'redaction', written: writtenText(redact, value), redacted, problems }
  } catch (error) {
    // Without an answer, the page would wait.
    if (!(error instanceof ConfigurationError)) return failed([{ field: 'rules', message: String(error) }])
    return failed(error.problems.map(({ path, message }) => ({ field: 'rules', message: `${path}: ${message}` })))
  }
}

function failed(problems: readonly RedactionProblem[]): TestedRedaction {
  return { kind: 'redaction', written: undefined, redacted: { rows: [], hidden: 0 }, problems }
}

/** Returns the value of a field; undefined if it is empty. */
function parseField(field: RedactionProblem['field'], text: string, problems: RedactionProblem[]): unknown {
  if (text.trim() === '') return undefined
  try {
    return parseLiteral(text)
  } catch (error) {
    const { message, line, column } = error as ProgramError
    problems.push({ field, message: `Line ${line}, column ${column}: ${message}` })
    return undefined
  }
}

/** Returns what a logger writes, as indented JSON. */
function writtenText(redact: Redact | undefined, value: object | string): string {
  let line = ''
  const write = (batch: EncodedBatch): ExportResult => {
    line += batch.text()
    return { status: 'accepted' }
  }
  const exporter: Exporter = {
    name: 'playground',
    encoding: jsonLines(),
    schedule: 'sync',
    delivery: {},
    export: write,
    exportSync: write,
  }
  createLogger({ redact, exporter }).info(value)
  const { message, attributes } = JSON.parse(line) as { readonly message?: unknown; readonly attributes?: unknown }
  return JSON.stringify(message ?? attributes ?? {}, undefined, 2)
}
