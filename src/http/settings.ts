import { foreignRequestLogOptionNames } from '../options/foreign-request-names.ts'
import { withoutPrototype } from '../options/own-members.ts'
import {
  callback,
  checkOptions,
  either,
  flag,
  functionLike,
  integer,
  list,
  text,
  typeName,
  type Check,
  type OptionSchema,
} from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { loggerCheck } from './logger-check.ts'
import type { RequestLogOptions } from './options.ts'
import { createSecretNameTest, createSecretParameterTest } from './query-secrets.ts'
import type { SecretNameTest } from './target.ts'

/** The options with defaults applied. Options without a default value remain undefined if they are not set. */
export interface Settings
  extends
    Required<Omit<RequestLogOptions, OptionWithoutDefault | 'logStart' | 'secretParameters'>>,
    Pick<RequestLogOptions, OptionWithoutDefault> {
  /** The message of the record of a request that arrives; undefined for no record. */
  readonly startMessage: string | undefined
  /** Whether the value of a query parameter or form field with this name is secret. */
  readonly isSecretParameter: SecretNameTest
  /** Whether the value of a member with this name in the JSON of a body is secret. */
  readonly isSecretMember: SecretNameTest
}

type OptionWithoutDefault =
  | 'level'
  | 'message'
  | 'attributes'
  | 'generateRequestId'
  | 'ignore'
  | 'sample'
  | 'slowMillis'
  | 'requestBody'
  | 'responseBody'

/**
 * Validates the options and applies defaults.
 *
 * @param caller - name of the function that was called, for the error
 * @throws ConfigurationError that lists all problems of the options.
 */
export function settingsOf(given: RequestLogOptions, caller: string): Settings {
  const problems: ConfigurationProblem[] = []
  // Without an argument, report only that the logger is missing. If a logger is given instead of options, advise `caller({ logger })`.
  const options = copyOptions(given === undefined ? ({} as RequestLogOptions) : given, '', problems, [], {
    'a logger': `${caller}({ logger })`,
  })
  checkOptions(options ?? null, schema, '', problems, foreignRequestLogOptionNames)
  // A problem with an empty path means that the options are not an object, which needs no second report.
  if (problems.every(({ path }) => path !== '') && options.logger === undefined)
    loggerCheck(undefined, 'logger', problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)
  return withoutPrototype({
    ...options,
    startMessage: startMessageOf(options.logStart),
    requestIdHeader: (options.requestIdHeader ?? 'x-request-id').toLowerCase(),
    trustRequestId: options.trustRequestId ?? false,
    echoRequestId: options.echoRequestId ?? false,
    requestHeaders: toLowerCase(options.requestHeaders),
    responseHeaders: toLowerCase(options.responseHeaders),
    maxBodyBytes: options.maxBodyBytes ?? 16_384,
    query: options.query ?? true,
    isSecretParameter: createSecretParameterTest(options.secretParameters ?? []),
    isSecretMember: createSecretNameTest(options.secretParameters ?? []),
  })
}

const startMessageOf = (logStart: boolean | string | undefined): string | undefined =>
  logStart === true ? 'request received' : logStart === false ? undefined : logStart

const toLowerCase = (names: readonly string[] = []): readonly string[] => names.map((name) => name.toLowerCase())

/** Checks a number of the option `sample`. */
const checkFraction: Check = (value, where, problems) => {
  if (typeof value !== 'number') {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: `must be a number from 0 to 1 or a function, not ${typeName(value)}`,
    })
  } else if (!(value >= 0 && value <= 1)) {
    problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `must be from 0 to 1, not ${value}` })
  }
}

/** Header field names allowed by HTTP (RFC 9110 section 5.1). */
const headerName = text(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'be the name of a header field')
/** Checks an option that selects requests. */
const checkSelection: Check = (value, where, problems) => {
  if (typeof value === 'object' && value !== null) return list(pathPattern)(value, where, problems)
  if (typeof value !== 'function' && typeof value !== 'boolean') {
    const message = `must be true, false, an array of paths or a function, not ${typeName(value)}`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
  }
}

/** Checks a duration of the option `slowMillis`. */
const checkMillis: Check = (value, where, problems) => {
  if (typeof value !== 'number') {
    const message = `must be a number of milliseconds or a function, not ${typeName(value)}`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
  } else if (!(value >= 0)) {
    problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `must be 0 or more, not ${value}` })
  }
}

const pathPattern = text(/^(?:\/[^*?#]*\*?|\*)$/, 'begin with /, have no query, and have a * only at its end')

const schema: OptionSchema & Readonly<Record<keyof RequestLogOptions, Check>> = {
  logger: loggerCheck,
  message: either('a text or a function', text(/./, 'not be empty'), callback),
  logStart: either('true, false or a text', flag, text(/./, 'not be empty')),
  level: functionLike("() => 'info'"),
  attributes: functionLike('(request) => ({ … })'),
  requestIdHeader: headerName,
  trustRequestId: either('true, false or a function', flag, callback),
  echoRequestId: flag,
  generateRequestId: functionLike('() => randomUUID()'),
  ignore: (value, where, problems) => {
    if (typeof value !== 'function') list(pathPattern)(value, where, problems)
  },
  sample: (value, where, problems) => {
    if (typeof value !== 'function') checkFraction(value, where, problems)
  },
  slowMillis: (value, where, problems) => {
    if (typeof value !== 'function') checkMillis(value, where, problems)
  },
  requestBody: checkSelection,
  responseBody: checkSelection,
  maxBodyBytes: integer(1, 16 * 1_048_576),
  requestHeaders: list(headerName),
  responseHeaders: list(headerName),
  query: flag,
  secretParameters: list(text(/./, 'not be empty')),
}
