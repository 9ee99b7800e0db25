/** The engines of a pool of `mysql2`, which does not say which one its server is. */
export type PoolEngineName = Extract<EngineName, 'mysql' | 'mariadb'>

/** The engines that `ashlar pull` reads, and for which `ashlar init` writes a service. */
export type ToolEngineName = Exclude<EngineName, PoolEngineName>

/** The supported databases. */
export type EngineName = 'postgres' | 'sqlite' | 'mysql' | 'mariadb'
