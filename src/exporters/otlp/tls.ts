import { readFileSync, statSync } from 'node:fs'
import { either, list, options, text, type Check, typeName } from '../../options/option-checks.ts'
import { member } from '../../options/own-members.ts'

/** Certificates and keys, as PEM text or bytes, or as paths of PEM files, which are read again when they change. */
export interface OtlpTls {
  /**
   * The certificate authorities for verifying the server's certificate.
   *
   * @defaultValue the authorities of Node
   */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  /** The path of a PEM file with `ca`. */
  readonly caFile?: string
  /** This client's certificate, for servers that require one (mTLS). */
  readonly cert?: string | Uint8Array
  /** The path of a PEM file with `cert`. */
  readonly certFile?: string
  /** The private key of `cert`. */
  readonly key?: string | Uint8Array
  /** The path of a PEM file with `key`. */
  readonly keyFile?: string
  /** The passphrase of the private key. */
  readonly passphrase?: string
  /**
   * The name that the server's certificate must match.
   *
   * @defaultValue the host of the URL
   */
  readonly servername?: string
}

const bytes: Check = (value, where, problems) => {
  if (!(value instanceof Uint8Array))
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be bytes, not ${typeName(value)}` })
}
const pem = either('PEM text or bytes', text(/./), bytes)

/** The checks of `OtlpTls`. */
export const tlsOptions: Check = options({
  ca: either('PEM text or bytes, or an array of them', pem, list(pem)),
  caFile: text(/./, 'be the path of a file'),
  cert: pem,
  certFile: text(/./, 'be the path of a file'),
  key: pem,
  keyFile: text(/./, 'be the path of a file'),
  passphrase: text(),
  servername: text(/./, 'be the name of a host'),
} satisfies Record<keyof OtlpTls, Check>)

/** An error in reading a certificate or key file. */
export class TlsFileError extends Error {}

/**
 * The TLS options of connections. They are read for each request, so that a renewed certificate is used from the next
 * connection on.
 */
export class TlsSource {
  private readonly given: OtlpTls
  private readonly files = new Map<string, { readonly version: string; readonly content: string }>()

  constructor(given: OtlpTls) {
    this.given = given
  }

  /** Returns options of `tls.connect`. Throws a `TlsFileError`. */
  read(): Readonly<Record<string, unknown>> {
    const { ca, caFile, cert, certFile, key, keyFile, passphrase, servername } = this.given
    const all = {
      ca: ca ?? this.content(caFile),
      cert: cert ?? this.content(certFile),
      key: key ?? this.content(keyFile),
      passphrase,
      servername,
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }

  private content(path: string | undefined): string | undefined {
    if (path === undefined) return undefined
    try {
      const { mtimeMs, size, ino } = statSync(path)
      const version = `${mtimeMs} ${size} ${ino}`
      const cached = this.files.get(path)
      if (cached?.version === version) return cached.content
      const content = readFileSync(path, 'utf8')
      this.files.set(path, { version, content })
      return content
    } catch (error) {
      throw new TlsFileError(
        `a certificate or key file cannot be read (${member(error as NodeJS.ErrnoException, 'code') ?? 'Error'})`,
      )
    }
  }
}
