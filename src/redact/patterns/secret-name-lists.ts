/**
 * The names whose values are secrets, in lower case and without `-`, `_` and `.`. A test compares these lists with the table in
 * docs/guides/redaction.md.
 */

/** Names that are secret only as a whole. Longer names with one of these endings often mean something else. */
export const secretWholeNames: readonly string[] = [
  'aspnetsessionid',
  'auth',
  'authcode',
  'authorizationcode',
  'basicauth',
  'bearer',
  'clientassertion',
  'codeverifier',
  'connectsid',
  'csrf',
  'jsessionid',
  'mnemonic',
  'phpsessid',
  'sessionid',
  'sharedaccesssignature',
  'sig',
  'signature',
  'xamzcredential',
  'xamzsignature',
  'xgoogsignature',
  'xsrf',
]

/** Endings that make a name secret, `token` except after harmless words: `DB_PASSWORD`, `stripe.api-key`, `dbpassword`. */
export const secretNameEndings: readonly string[] = [
  'accesskey',
  'accesstokens',
  'accountkey',
  'apikey',
  'apikeys',
  'apitokens',
  'authkey',
  'authtokens',
  'connectionstring',
  'credential',
  'credentials',
  'encryptionkey',
  'masterkey',
  'otpcode',
  'passcode',
  'passphrase',
  'passwd',
  'password',
  'passwords',
  'privatekey',
  'privatekeys',
  'recoverycode',
  'recoverycodes',
  'refreshtokens',
  'secret',
  'secretkey',
  'secretkeybase',
  'secrets',
  'seedphrase',
  'serviceaccountkey',
  'sharedaccesskey',
  'signingkey',
  'sshkey',
  'token',
  'totpcode',
]

/**
 * Words that make a name secret if they are its last word, `pass` except after harmless words. A word begins at the start of the name,
 * after `_`, `-` or `.`, or with a capital letter: `SMTP_PASS`, `userPwd`.
 */
export const secretLastWords: readonly string[] = [
  'connstr',
  'creds',
  'cvc',
  'cvv',
  'dsn',
  'jwt',
  'otp',
  'pass',
  'pw',
  'pwd',
  'totp',
]

/** Words that precede `pass`, `pwd` and `pw` without a separator: `SSHPASS`, `dbpwd`. */
export const passPrefixes: readonly string[] = (
  'admin auth db ftp http imap key ldap login mail mongo my mysql pg postgres proxy redis root smtp ' +
  'sql ssh store user wifi'
).split(' ')

/**
 * Words after a secret name that do not change its meaning: `DB_PASSWORD_PROD`, `passwordHash`. Numbers are ignored too: `API_TOKEN_V2`. At
 * most two suffixes are ignored.
 */
export const nameSuffixes: readonly string[] = (
  'admin b64 backup base64 confirm confirmation current default dev development encrypted hash ' +
  'hashed hex live local new old plain prev previous primary prod production qa raw root salt ' +
  'sandbox secondary stage staging str string test uat value'
).split(' ')

/** Words that make `token` after them harmless: a position in a list, a token of a language model, or a signal. */
export const harmlessTokenWords: readonly string[] = (
  'bos cancel cancellation cls continuation cursor end eos first last mask next pad page per prev ' +
  'previous resume sep start stop sync unexpected unk'
).split(' ')

/** Words that make `pass` after them harmless: a verb, a run or a location. */
export const harmlessPassWords: readonly string[] =
  'all band boarding by depth first hall high last low multi one post pre render season second shadow single'.split(' ')
