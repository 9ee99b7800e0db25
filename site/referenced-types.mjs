// @ts-check
/**
 * Adds types that exports use to the pages of the API, although no entry point exports them: the settings of a function, parts of a
 * result, and others that users read about but need not name.
 */
import { Comment, CommentTag, makeRecursiveVisitor } from 'typedoc'
import ts from 'typescript'

/** The heading of the types that no entry point exports. */
export const notExported = 'Not exported'

/** Types for the compiler and for the server itself. Users see neither. */
const internals =
  /^(?:\w+State(?<!AdmissionState|BodyMemoryState|CacheState|PoolState|ReplicaState|LimiterState)$|Any(?!Criteria|Paginator)|Attribute(?:Flag|Kinds?)$|Awaitable$|C(?:astValues|ompileError)$|Compiled(?!Action|Attribute|Id|Relation|Type)|Described|Extension(?!Call|Target)|(?:Field|Use)Guard$|Given|Api$|Client|Component|Defaults$|Marked$|Section$|ServerContract$|MemberFault$|Named(?!Cache|Finding|Server)|No[A-Z]|Not[A-Z]|Served(?!Path)|Suggestion$|TypedServer$|ValueKind$|\w+Specs?$)/

/** @typedef {import('typedoc').Context} Context */
/** @typedef {import('typedoc').Reflection} Reflection */

/**
 * Converts the types that the exports of the modules use, directly or indirectly, into the module of the first use.
 * @param {Context} context
 */
export function addReferencedTypes(context) {
  const { project } = context
  for (const module of project.children ?? []) {
    for (let before = -1; before !== count(project); ) {
      before = count(project)
      for (const { program, symbol } of missingTypes(context, module)) {
        context.setActiveProgram(program)
        context.converter.convertSymbol(context.withScope(module), symbol)
        const added = context.getReflectionFromSymbol(symbol)
        if (added === undefined) continue
        added.comment ??= new Comment()
        added.comment.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: notExported }]))
      }
    }
    context.setActiveProgram(undefined)
  }
}

/** @param {import('typedoc').ProjectReflection} project */
function count(project) {
  return Object.keys(project.reflections).length
}

/** @param {Context} context @param {Reflection} module */
function missingTypes(context, module) {
  /** @type {Map<ts.Symbol, { program: ts.Program, symbol: ts.Symbol }>} */
  const found = new Map()
  const visitor = makeRecursiveVisitor({
    reference(type) {
      if (type.reflection || type.symbolId?.packageName !== 'ashlar') return
      for (const program of context.programs) {
        const symbol = symbolOf(program, type.symbolId)
        if (symbol === undefined || context.getReflectionFromSymbol(symbol) !== undefined) continue
        if (isDescribed(symbol)) found.set(symbol, { program, symbol })
        return
      }
    },
  })
  module.traverse(function visit(reflection) {
    for (const type of typesOf(reflection)) type.visit(visitor)
    reflection.traverse(visit)
    return true
  })
  return found.values()
}

/** @param {any} reflection @returns {import('typedoc').SomeType[]} */
function typesOf(reflection) {
  return [reflection.type, ...(reflection.extendedTypes ?? [])].filter((type) => type !== undefined)
}

/** @param {ts.Program} program @param {import('typedoc').ReflectionSymbolId} id */
function symbolOf(program, { fileName, qualifiedName }) {
  const source = program.getSourceFile(fileName ?? '')
  const statement = source?.statements.find(
    (each) => (ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) && each.name.text === qualifiedName,
  )
  if (statement === undefined) return undefined
  return program.getTypeChecker().getSymbolAtLocation(/** @type {ts.InterfaceDeclaration} */ (statement).name)
}

/**
 * Whether a type describes data or a function. Other aliases with parameters are calculations of the compiler, whose results editors show.
 * @param {ts.Symbol} symbol
 */
function isDescribed({ name, declarations: [declaration] = [] }) {
  if (declaration === undefined || internals.test(name)) return false
  if (ts.isInterfaceDeclaration(declaration)) return true
  if (!ts.isTypeAliasDeclaration(declaration)) return false
  if (name === 'SoftDeletes') return true
  return (
    declaration.typeParameters === undefined ||
    ts.isFunctionTypeNode(declaration.type) ||
    ts.isUnionTypeNode(declaration.type)
  )
}
