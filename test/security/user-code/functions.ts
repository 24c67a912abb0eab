/**
 * Writes the names of all functions that the public API accepts, one per line: options, callback parameters, and methods of objects
 * that users implement. The names come from the types of every entry of the package.
 */
import { writeSync } from 'node:fs'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  API,
  type Checker,
  ModifierFlags,
  type Signature,
  SignatureKind,
  type Symbol as TypeSymbol,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const source = join(root, 'src')

/** Whether users receive values of a type or provide them. */
type Direction = 'received' | 'given'

/** The maximum path length, because anonymous types can be recursive. */
const longestPath = 100

class FunctionFinder {
  readonly found = new Set<string>()
  private readonly visited = new Set<string>()
  private readonly checker: Checker

  constructor(checker: Checker) {
    this.checker = checker
  }

  /** Collects the functions in a type. `path` is its location, such as `LoggerOptions.handler`. */
  visit(type: Type | undefined, direction: Direction, path: string): void {
    if (type === undefined) return
    const parts = type.isUnionType() || type.isIntersectionType() ? type.getTypes() : undefined
    if (parts !== undefined) return parts.forEach((part) => this.visit(part, direction, path))
    if (type.isTypeParameter()) return this.visit(this.checker.getBaseConstraintOfType(type), direction, path)
    if (!type.isObjectType() && (type.flags & TypeFlags.Instantiable) === 0) return
    const name = nameOf(type)
    if (direction === 'given' && isNotOfUsers(type, name)) return
    if (direction === 'given' && this.signaturesOf(type, SignatureKind.Call).length > 0) this.found.add(path)
    const isClass = this.signaturesOf(type, SignatureKind.Construct).length > 0
    const isNamed = name !== undefined && isOurs(type.getAliasSymbol() ?? type.getSymbol())
    // Visit a named type once for all type arguments, because generic types can be recursive with new arguments.
    const key = [direction, isClass, isNamed ? `${name} ${declaredIn(type)}` : `${type.id} ${path}`].join(' ')
    if (this.visited.has(key) || path.length > longestPath) return
    this.visited.add(key)
    if (type.isTypeReference() || type.isTupleType())
      for (const argument of this.checker.getTypeArguments(type)) this.visit(argument, direction, path)
    for (const kind of [SignatureKind.Call, SignatureKind.Construct]) this.visitSignatures(type, kind, direction, path)
    for (const { valueType } of this.checker.getIndexInfosOfType(type)) this.visit(valueType, direction, path)
    if (isOurs(type.getSymbol())) this.visitMembers(type, direction, name ?? path)
  }

  private signaturesOf(type: Type, kind: SignatureKind): readonly Signature[] {
    return this.checker.getSignaturesOfType(type, kind)
  }

  private visitSignatures(type: Type, kind: SignatureKind, direction: Direction, path: string): void {
    const signatures = this.checker.getSignaturesOfType(type, kind)
    for (const signature of signatures) {
      for (const parameter of signature.getParameters()) {
        const of = this.checker.getTypeOfSymbol(parameter)
        if (direction === 'given') this.visit(of, 'received', `${path}(${parameter.name})`)
        else this.visit(of, 'given', `${path}(${parameter.name})`)
      }
      this.visit(this.checker.getReturnTypeOfSignature(signature), direction, `${path}()`)
    }
  }

  private visitMembers(type: Type, direction: Direction, owner: string): void {
    for (const member of this.checker.getPropertiesOfType(type)) {
      if (!isOurs(member) || isHidden(member)) continue
      // Optional methods of a class are implemented by its subclasses.
      const isImplemented = (member.flags & SymbolFlags.Method) !== 0 && (member.flags & SymbolFlags.Optional) !== 0
      const isOfClass = ((type.getSymbol()?.flags ?? 0) & SymbolFlags.Class) !== 0
      const of = isOfClass && isImplemented ? 'given' : direction
      this.visit(this.checker.getTypeOfSymbol(member), of, `${declarerOf(member) ?? owner}.${member.name}`)
    }
  }
}

/** Returns the name of an interface, class or alias, or undefined for an anonymous type. */
function nameOf(type: Type): string | undefined {
  const symbol = type.getAliasSymbol() ?? type.getSymbol()
  if (symbol === undefined || symbol.name.startsWith('__')) return undefined
  // Several APIs have types with the same name.
  return qualified(symbol.name, declaredIn(type))
}

/** Adds the API to a name, because several APIs have types and functions with the same name. */
function qualified(name: string, path: string): string {
  const [, api] = /\/(?:compat|http\/adapters)\/(?:shared\/)?(\w+)/.exec(path) ?? []
  return api === undefined ? name : `${api} ${name}`
}

/** Types whose objects are created by this package, a framework or Node, and only passed on by users. */
const createdElsewhere: ReadonlySet<string> = new Set([
  'LoggerCore',
  'BoundState',
  'TextPatterns',
  'pino BaseLogger',
  'pino LoggerExtras',
  'bunyan Logger',
  'EncodedBatch',
  'ExporterHost',
  'HandlerHost',
  'OtelContext',
  'FetchHeaders',
  'NodeServer',
  'NodeSocket',
  'NodeStream',
  'NodeRequest',
  'NodeResponse',
  'fastify FastifyInstance',
  'hono HonoContext',
  'koa KoaContext',
  'FetchLevelsRequest',
  'NodeLevelsRequest',
  'NodeLevelsResponse',
  'FastifyLevelsReply',
  'FastifyLevelsRequest',
  'HonoLevelsContext',
  'KoaLevelsContext',
])

/** Returns whether users do not implement a type: testing helpers run in tests, not in log calls. */
function isNotOfUsers(type: Type, name: string | undefined): boolean {
  return declaredIn(type).startsWith(join(source, 'testing/')) || (name !== undefined && createdElsewhere.has(name))
}

/** Returns the name of the interface that declares a member, which other interfaces can extend. */
function declarerOf({ declarations: [declaration] }: TypeSymbol): string | undefined {
  const { parent } = (declaration?.resolve() ?? {}) as DeclarationNode
  return parent?.name?.text === undefined ? undefined : qualified(parent.name.text, declaration!.path)
}

interface DeclarationNode {
  readonly parent?: { readonly name?: { readonly text?: string } }
}

/** Returns whether a member is private or protected. */
function isHidden({ name, declarations }: TypeSymbol): boolean {
  if (name.startsWith('__#')) return true
  const flags = (declarations[0]?.resolve() as { modifierFlags?: number } | undefined)?.modifierFlags ?? 0
  return (flags & (ModifierFlags.Private | ModifierFlags.Protected)) !== 0
}

function isTypeOnly({ declarations }: TypeSymbol): boolean {
  const specifier = declarations[0]?.resolve() as ExportedNode | undefined
  return specifier?.isTypeOnly === true || specifier?.parent?.parent?.isTypeOnly === true
}

interface ExportedNode {
  readonly isTypeOnly?: boolean
  readonly parent?: ExportedNode
}

function declaredIn(type: Type): string {
  return (type.getAliasSymbol() ?? type.getSymbol())?.declarations[0]?.path ?? ''
}

function isOurs(symbol: TypeSymbol | undefined): boolean {
  return (
    symbol === undefined ||
    symbol.declarations.length === 0 ||
    symbol.declarations.some(({ path }) => path.startsWith(source))
  )
}

const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { import?: { types: string } }>
}
const api = new API({ cwd: root })
const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.build.json')] })
const { checker, program } = snapshot.getProject(join(root, 'tsconfig.build.json'))!
const finder = new FunctionFinder(checker)
for (const { import: entry } of Object.values(entries)) {
  if (entry === undefined) continue
  const file = program.getSourceFile(
    entry.types.replace('./dist/esm', join(source, 'entries')).replace('.d.ts', '.ts'),
  )!
  for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(file)!)) {
    const symbol = (exported.flags & 2_097_152) !== 0 ? checker.getAliasedSymbol(exported) : exported
    // A type-only export cannot be called or extended.
    if (!isTypeOnly(exported)) {
      const path = symbol.declarations[0]?.path ?? ''
      finder.visit(checker.getTypeOfSymbol(symbol), 'received', qualified(symbol.name, path))
    }
  }
}
api.close()
writeSync(1, [...finder.found].toSorted().join('\n') + '\n')
