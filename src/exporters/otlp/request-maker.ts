import { promisify } from 'node:util'
import type { ZlibOptions } from 'node:zlib'
import { ownCopy } from '../../options/own-members.ts'
import { sdkVersion } from '../../record/sdk.ts'
import type { Headers } from '../../platform/node/otlp-header-list.ts'
import { HeaderError } from './headers.ts'
import type { Post } from './http.ts'
import { urlSecrets } from './mask.ts'
import type { OtlpSettings } from './options.ts'
import { TlsFileError } from './tls.ts'

/** The user agent: exporter, language and version. A product name that the user sets precedes it (OTL15). */
const userAgent = `Sluice-OTLP-Exporter-JavaScript/${sdkVersion}`

/** Without own options, Node would read options from an object that inherits from `Object.prototype`. */
const zlibOptions: ZlibOptions = ownCopy({})

/** Creates requests from bodies: compressed, with the headers and certificates that are current at that time. */
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

  /** Creates a request. Throws an error whose message is safe to report. */
  async make(body: Uint8Array): Promise<Post> {
    const { headers, timeoutMillis, compression } = this.settings
    const fields = await headers.get(timeoutMillis)
    return this.post(
      fields,
      compression === 'gzip'
        ? await promisify<Uint8Array, ZlibOptions, Uint8Array>(process.getBuiltinModule('node:zlib').gzip)(
            body,
            zlibOptions,
          )
        : body,
    )
  }

  /** Does the same synchronously. */
  makeSync(body: Uint8Array): Post {
    const { headers, compression } = this.settings
    const fields = headers.getSync()
    return this.post(
      fields,
      compression === 'gzip' ? process.getBuiltinModule('node:zlib').gzipSync(body, zlibOptions) : body,
    )
  }

  /** The values that must not appear in a message. */
  get secrets(): string[] {
    return [...this.settings.headers.secrets, ...urlSecrets(this.settings.url), ...this.additionalSecrets]
  }

  private post(fields: Headers, body: Uint8Array): Post {
    const { url, timeoutMillis, compression, tls } = this.settings
    const product = fields.get('user-agent')
    const headers: [string, string][] = [...fields].filter(([name]) => name !== 'user-agent')
    headers.push(['user-agent', product === undefined ? userAgent : `${product} ${userAgent}`])
    headers.push(['content-type', this.contentType])
    if (compression === 'gzip') headers.push(['content-encoding', 'gzip'])
    return { url: url.href, headers, body, timeoutMillis, tls: url.protocol === 'https:' ? tls.read() : {} }
  }
}

/** Returns a message for an error of `make` that is safe to report. */
export function describeRequestError(error: unknown): string {
  const isSafeToReport = error instanceof HeaderError || error instanceof TlsFileError
  return isSafeToReport ? `was not called: ${error.message}` : 'was not called: the request could not be created'
}
