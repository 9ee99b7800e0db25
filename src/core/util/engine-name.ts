/** The supported databases. */
export type EngineName = 'postgres' | 'sqlite'
