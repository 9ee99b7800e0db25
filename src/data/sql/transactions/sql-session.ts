import type { RequestContext } from '../../../resource/request-context.js'
import { invariant } from '../../../util/invariant.js'
import { noteKept } from '../driver/asking-request.js'
import type { EngineName, HeldConnection, Occasion, SqlResult, SqlStatement } from '../driver/sql-driver.js'

/** A connection while one transaction has it, and what is known of its state. */
export interface SqlSession {
  readonly engine: EngineName
  /** The driver's own connection, for code that speaks to it directly. */
  readonly raw: unknown
  /** The request that it ran its last statement for; `null` where no request asked. */
  readonly context: RequestContext | null
  /** Whether the database has no other connection: what is read within the work is then part of the transaction. */
  readonly isOnly: boolean
  run(statement: SqlStatement, occasion?: Occasion): Promise<SqlResult>
  /** Runs the work of the transaction. */
  within<Result>(work: () => Promise<Result>): Promise<Result>
  /** A name for a savepoint that no other of this session has. */
  newName(): string
  /**
   * Runs what opens or ends a savepoint while nothing else does: savepoints lie one in the other, and to release one
   * releases those that were opened since. Must not be asked for within itself.
   */
  turn<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether nobody has such a turn. */
  isIdle(): boolean
  savepoint(name: string): Promise<unknown>
  releaseSavepoint(name: string): Promise<unknown>
  /** The same, and nobody waits: where it fails, nothing of the transaction can be kept. */
  releaseSoon(name: string): void
  /** Undoes what came after it. */
  returnTo(name: string): Promise<void>
  /** Undoes what came after it, and the savepoint too. Where that fails, nothing of the transaction can be kept. */
  undoSavepoint(name: string): Promise<void>
  begin(statement: string): Promise<void>
  /** Gives the connection back with everything kept, or throws: then nothing is, and the connection is given back all the same. */
  commit(): Promise<void>
  /** Gives the connection back with nothing kept. */
  rollback(): Promise<void>
  /** Throws where a statement has failed that PostgreSQL will keep nothing after. */
  expectSound(): void
}

/** Takes a connection into a transaction. */
export function sqlSession(held: HeldConnection, engine: EngineName): SqlSession {
  let names = 0
  let isOver = false
  let lastTurn: Promise<unknown> = Promise.resolve()
  let turns = 0
  let context: RequestContext | null = null
  // A transaction that was not begun here is somebody else's on SQLite, and must not be undone.
  let hasBegun = engine === 'postgres'
  /** After it, PostgreSQL runs nothing until a savepoint before it is gone back to, and answers a commit with a rollback. */
  let failure: { readonly thrown: unknown } | null = null

  /** What the last release that nobody waits for has come to: `null` where it was done. */
  let released: Promise<{ readonly thrown: unknown } | null> | null = null

  // PostgreSQL takes statements without values fastest when it need not prepare them; SQLite prepares all of them.
  const plain = (sql: string): SqlStatement => ({ sql, values: [], name: engine === 'sqlite' ? sql : null })
  const say = (sql: string): Promise<SqlResult> => run(plain(sql))

  function run(statement: SqlStatement, occasion?: Occasion): Promise<SqlResult> {
    if (isOver) return Promise.reject(new Error(transactionIsOver))
    context = occasion?.context ?? context
    const result = held.run(statement, occasion)
    if (engine === 'sqlite') return result
    return result.catch((thrown: unknown) => {
      failure ??= { thrown }
      throw thrown
    })
  }

  function expectSound(): void {
    if (failure !== null) throw new Error(nothingKept, { cause: failure.thrown })
  }

  async function expectReleased(): Promise<void> {
    const unreleased = await released
    // Nobody else has heard of what failed there, as when the server goes away: it was not passed over.
    if (unreleased !== null && failure?.thrown === unreleased.thrown) throw unreleased.thrown
    expectSound()
  }

  async function returnTo(name: string): Promise<void> {
    await say(`rollback to savepoint ${name}`)
    failure = null
  }

  async function abandon(): Promise<void> {
    isOver = true
    try {
      if (hasBegun) await held.run(plain('rollback'))
    } catch {
      // In which state it is, nobody knows: it must not be used again.
      held.release(true)
      return
    }
    held.release(false)
  }

  return {
    engine,
    raw: held.raw,
    get context() {
      return context
    },
    isOnly: held.within !== undefined,
    run,
    within: (work) => held.within?.(work) ?? work(),
    newName: () => `ashlar_${(names += 1)}`,
    turn(work) {
      turns += 1
      const turn = (turns === 1 ? work() : lastTurn.then(work)).finally(() => (turns -= 1))
      lastTurn = turn.catch(() => undefined)
      return turn
    },
    isIdle: () => turns === 0,
    savepoint: (name) => say(`savepoint ${name}`),
    releaseSavepoint: (name) => say(`release savepoint ${name}`),
    releaseSoon(name) {
      released = say(`release savepoint ${name}`).then(
        () => null,
        (thrown: unknown) => {
          failure ??= { thrown }
          return { thrown }
        },
      )
    },
    returnTo,
    async undoSavepoint(name) {
      try {
        await returnTo(name)
        await say(`release savepoint ${name}`)
      } catch (thrown) {
        failure ??= { thrown }
      }
    },
    async begin(statement) {
      await say(statement)
      hasBegun = true
    },
    async commit() {
      invariant(!isOver, 'a transaction was ended twice')
      try {
        // PostgreSQL keeps nothing where the release fails, so that both are sent at once. SQLite would.
        if (engine === 'sqlite' || failure !== null) await expectReleased()
        isOver = true
        const [{ command }] = await Promise.all([held.run(plain('commit')), expectReleased()])
        // What failed was not run by us, or nobody has waited for it.
        if (command === 'ROLLBACK') throw new Error(nothingKept)
      } catch (thrown) {
        await abandon()
        throw thrown
      }
      noteKept(context)
      held.release(false)
    },
    rollback: abandon,
    expectSound,
  }
}

export const transactionIsOver = 'The transaction is over: it runs no more statements.'

const nothingKept =
  'A statement of the transaction has failed, and its error was passed over: the database keeps nothing of what came before and after it.'
