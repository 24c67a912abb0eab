import { readFileSync, statSync } from 'node:fs'
import { either, list, options, text, type Check, typeName } from '../../options/option-checks.ts'
import { member } from '../../options/own-members.ts'

/** Certificates and keys: as PEM text or bytes, or as paths of PEM files. Files are read again when they change. */
export interface OtlpTls {
  /**
   * The certificate authorities for verifying the server's certificate.
   *
   * @defaultValue the authorities of Node
   */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  /**
   * The path of a PEM file with `ca`.
   *
   * @defaultValue none
   */
  readonly caFile?: string
  /**
   * This client's certificate, for servers that require one (mTLS).
   *
   * @defaultValue none
   */
  readonly cert?: string | Uint8Array
  /**
   * The path of a PEM file with `cert`.
   *
   * @defaultValue none
   */
  readonly certFile?: string
  /**
   * The private key of `cert`.
   *
   * @defaultValue none
   */
  readonly key?: string | Uint8Array
  /**
   * The path of a PEM file with `key`.
   *
   * @defaultValue none
   */
  readonly keyFile?: string
  /**
   * The passphrase of the private key.
   *
   * @defaultValue none
   */
  readonly passphrase?: string
  /**
   * The name that the server's certificate must match.
   *
   * @defaultValue the host of the URL
   */
  readonly servername?: string
}

const bytesCheck: Check = (value, where, problems) => {
  if (!(value instanceof Uint8Array))
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be bytes, not ${typeName(value)}` })
}
const pemCheck = either('PEM text or bytes', text(/./), bytesCheck)

/** The checks of `OtlpTls`. */
export const tlsCheck: Check = options({
  ca: either('PEM text or bytes, or an array of them', pemCheck, list(pemCheck)),
  caFile: text(/./, 'be the path of a file'),
  cert: pemCheck,
  certFile: text(/./, 'be the path of a file'),
  key: pemCheck,
  keyFile: text(/./, 'be the path of a file'),
  passphrase: text(),
  servername: text(/./, 'be the name of a host'),
} satisfies Record<keyof OtlpTls, Check>)

/** An error in reading a certificate or key file. Its message contains only the system's error code. */
export class TlsFileError extends Error {}

/**
 * The source of the TLS options of connections. They are read for each request, so that new connections use a renewed certificate.
 */
export class TlsSource {
  private readonly options: OtlpTls
  /** The files that were read, by path. */
  private readonly cachedFiles = new Map<string, { readonly version: string; readonly content: string }>()

  constructor(options: OtlpTls) {
    this.options = options
  }

  /**
   * Returns options of `tls.connect`.
   *
   * @throws TlsFileError if a file cannot be read.
   */
  read(): Readonly<Record<string, unknown>> {
    const { ca, caFile, cert, certFile, key, keyFile, passphrase, servername } = this.options
    const tlsOptions = {
      ca: ca ?? this.readCached(caFile),
      cert: cert ?? this.readCached(certFile),
      key: key ?? this.readCached(keyFile),
      passphrase,
      servername,
    }
    return Object.fromEntries(Object.entries(tlsOptions).filter(([, value]) => value !== undefined))
  }

  /** Returns the content of a file. Reads the file only if its modification time, size or inode has changed. */
  private readCached(path: string | undefined): string | undefined {
    if (path === undefined) return undefined
    try {
      const { mtimeMs, size, ino } = statSync(path)
      const version = `${mtimeMs} ${size} ${ino}`
      const cached = this.cachedFiles.get(path)
      if (cached?.version === version) return cached.content
      const content = readFileSync(path, 'utf8')
      this.cachedFiles.set(path, { version, content })
      return content
    } catch (error) {
      throw new TlsFileError(
        `a certificate or key file cannot be read (${member(error as NodeJS.ErrnoException, 'code') ?? 'Error'})`,
      )
    }
  }
}
