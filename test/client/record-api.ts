/** A contract as `ashlar types` writes it, with paths that are not the names. */
export interface RecordApi {
  types: {
    albums: {
      path: 'records'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'optional'
      attributes: { title: string }
      create: { title: string }
      update: { title?: string }
      relations: {
        tracks: {
          type: 'albums'
          many: true
          path: 'songs'
          is:
            | 'shown'
            | 'includable'
            | 'related'
            | 'relationship'
            | 'creatable'
            | 'replaceable'
            | 'addable'
            | 'removable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: { id: readonly string[] }
      singular: never
      sorts: 'id'
      page: { number?: number }
      countable: false
      actions: {
        show: { on: 'resource'; methods: 'GET'; input: null; result: { resource: 'albums' } }
        rename: {
          on: 'resource'
          methods: 'PUT' | 'PATCH'
          input: { document: 'albums' }
          result: { resource: 'albums' }
        }
      }
      results: {
        create: { resource: 'albums' }
        update: 'none'
        delete: 'none'
        fetchOne: { resource: 'albums' }
      }
    }
  }
  page: null
  atomic: '/batch'
  idempotency: true
  dryRun: true
}
