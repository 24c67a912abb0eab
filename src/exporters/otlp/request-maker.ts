import { promisify } from 'node:util'
import type { ZlibOptions } from 'node:zlib'
import { withoutPrototype } from '../../options/own-members.ts'
import { sdkVersion } from '../../record/sdk-version.ts'
import type { HeaderMap } from '../../platform/node/otlp-header-list.ts'
import { HeaderError } from './headers.ts'
import type { PostRequest } from './http.ts'
import { urlSecrets } from './mask.ts'
import type { OtlpSettings } from './options.ts'
import { TlsFileError } from './tls.ts'

/** The user agent: exporter, language and version. A `user-agent` header that the user sets is put before it. */
const userAgent = `Sluice-OTLP-Exporter-JavaScript/${sdkVersion}`

/** Passed so that Node does not use its default object, which inherits options that were put on `Object.prototype`. */
const zlibOptions: ZlibOptions = withoutPrototype({})

/** Creates requests from bodies, which it compresses if configured, with the headers and certificates that are current at that time. */
export class RequestMaker {
  private readonly settings: OtlpSettings
  private readonly contentType: string
  private readonly additionalSecrets: readonly string[]

  /** @param additionalSecrets - Values that must not appear in messages, in addition to the secrets of the settings. */
  constructor(settings: OtlpSettings, contentType: string, additionalSecrets: readonly string[] = []) {
    this.settings = settings
    this.contentType = contentType
    this.additionalSecrets = additionalSecrets
  }

  /** Creates a request. An error that is thrown must be reported with `describeRequestError`. */
  async make(body: Uint8Array): Promise<PostRequest> {
    const { headers, timeoutMillis, compression } = this.settings
    const headerFields = await headers.get(timeoutMillis)
    return this.assemble(
      headerFields,
      compression === 'gzip'
        ? await promisify<Uint8Array, ZlibOptions, Uint8Array>(process.getBuiltinModule('node:zlib').gzip)(
            body,
            zlibOptions,
          )
        : body,
    )
  }

  /** Creates a request synchronously; see `HeaderSource.getSync`. Errors are as for `make`. */
  makeSync(body: Uint8Array): PostRequest {
    const { headers, compression } = this.settings
    const headerFields = headers.getSync()
    return this.assemble(
      headerFields,
      compression === 'gzip' ? process.getBuiltinModule('node:zlib').gzipSync(body, zlibOptions) : body,
    )
  }

  /** The values that must not appear in a message. */
  get secrets(): string[] {
    return [...this.settings.headers.secrets, ...urlSecrets(this.settings.url), ...this.additionalSecrets]
  }

  private assemble(headerFields: HeaderMap, body: Uint8Array): PostRequest {
    const { url, timeoutMillis, compression, tls } = this.settings
    const customUserAgent = headerFields.get('user-agent')
    const headers: [string, string][] = [...headerFields].filter(([name]) => name !== 'user-agent')
    headers.push(['user-agent', customUserAgent === undefined ? userAgent : `${customUserAgent} ${userAgent}`])
    headers.push(['content-type', this.contentType])
    if (compression === 'gzip') headers.push(['content-encoding', 'gzip'])
    return { url: url.href, headers, body, timeoutMillis, tls: url.protocol === 'https:' ? tls.read() : {} }
  }
}

/** Returns a message for an error of `make` or `makeSync` that contains no secret. */
export function describeRequestError(error: unknown): string {
  const isSafeToReport = error instanceof HeaderError || error instanceof TlsFileError
  return isSafeToReport ? `was not called: ${error.message}` : 'was not called: the request could not be created'
}
