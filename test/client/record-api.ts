/** All that clients may do with a relation. */
type Everything =
  | 'shown'
  | 'includable'
  | 'related'
  | 'relationship'
  | 'countable'
  | 'creatable'
  | 'replaceable'
  | 'addable'
  | 'removable'

/** A contract as `ashlar types` writes it, with paths that are not the names. */
export interface RecordApi {
  types: {
    albums: {
      path: 'records'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete' | 'Upsert' | 'Export'
      clientIds: 'optional'
      attributes: { title: string }
      create: { title: string }
      update: { title?: string }
      relations: {
        artist: {
          type: 'artists'
          many: false
          path: 'artist'
          is: Everything
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
        tracks: {
          type: 'albums'
          many: true
          path: 'songs'
          is: Everything
          pivot: { attributes: { position: number }; create: { position: number }; update: { position?: number } }
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: { id: readonly string[]; rating: { min?: number | undefined; max?: number | undefined }; slug: string }
      singular: 'slug'
      sorts: 'id'
      page: { number?: number | undefined }
      countable: true
      upsertBy: 'title'
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
        create: { resource: 'albums' } | { job: 'jobs' }
        update: { resource: 'albums' }
        delete: 'none'
        fetchOne: { resource: 'albums' }
      }
    }
    artists: {
      path: 'artists'
      operations: 'FetchOne'
      clientIds: 'never'
      attributes: { name: string }
      create: {}
      update: {}
      relations: {
        albums: {
          type: 'albums'
          many: true
          path: 'albums'
          is: Everything
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: {}
      singular: never
      sorts: never
      page: null
      countable: false
      upsertBy: never
      actions: {}
      results: { create: never; update: never; delete: never; fetchOne: { resource: 'artists' } }
    }
    jobs: {
      path: 'jobs'
      operations: 'FetchOne'
      clientIds: 'never'
      attributes: { status: string }
      create: {}
      update: {}
      relations: {}
      filters: {}
      singular: never
      sorts: never
      page: null
      countable: false
      upsertBy: never
      actions: {}
      results: { create: never; update: never; delete: never; fetchOne: { resource: 'jobs' } | 'redirect' }
    }
  }
  page: null
  atomic: '/batch'
  idempotency: true
  dryRun: true
}
