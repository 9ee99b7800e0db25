/**
 * The contract of the server 'default', for `createClient` of `@ashlar/client`.
 * Written by `ashlar types`: change the declarations of the server instead, and write it again.
 */
export interface Api {
  types: {
    /** Records, with their tracks. */
    albums: {
      path: 'albums'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'never'
      attributes: {
        title: string
        averageRating: number | null
        artwork: string | null
        releasedAt: string
        explicit: boolean
        /**
         * - `upcoming`: Announced, not out yet.
         * - `released`: Out, and on sale.
         * - `withdrawn`: Was out, and no longer is.
         */
        status: 'upcoming' | 'released' | 'withdrawn'
        availableFrom: string | null
        availableUntil: string | null
        releaseInfo: {
          label: string | null
          catalogueNumber: string | null
        }
      }
      create: {
        title: string
        releasedAt?: string
        explicit?: boolean
        /**
         * - `upcoming`: Announced, not out yet.
         * - `released`: Out, and on sale.
         * - `withdrawn`: Was out, and no longer is.
         */
        status?: 'upcoming' | 'released' | 'withdrawn'
        availableFrom?: string | null
        availableUntil?: string | null
        releaseInfo?: {
          label?: string | null
          catalogueNumber?: string | null
        } | null
      }
      update: {
        title?: string
        releasedAt?: string
        explicit?: boolean
        /**
         * - `upcoming`: Announced, not out yet.
         * - `released`: Out, and on sale.
         * - `withdrawn`: Was out, and no longer is.
         */
        status?: 'upcoming' | 'released' | 'withdrawn'
        availableFrom?: string | null
        availableUntil?: string | null
        releaseInfo?: {
          label?: string | null
          catalogueNumber?: string | null
        } | null
      }
      relations: {
        artist: {
          type: 'artists'
          many: false
          path: 'artist'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'linked' | 'creatable' | 'replaceable'
          pivot: null
          filters: {
            name: string | number | boolean
          }
          sorts: never
          page: 'inherited'
        }
        tracks: {
          type: 'tracks'
          many: true
          path: 'tracks'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'countable' | 'creatable' | 'replaceable' | 'addable' | 'removable'
          pivot: null
          filters: {
            longerThan: number
          }
          sorts: 'duration'
          page: 'inherited'
        }
      }
      filters: {
        id: readonly string[]
        artist: string
        title: string
        'artist.name': string | number | boolean
        tracks: true
        rating: { min?: number | undefined; max?: number | undefined }
        releasedAt: { min?: string | undefined; max?: string | undefined }
        q: string
        status: 'upcoming' | 'released' | 'withdrawn'
      }
      singular: never
      sorts: 'id' | 'title' | 'releasedAt' | 'status' | 'artist.name' | 'relevance'
      page: { kind?: 'page'; number?: number | undefined; size?: number | undefined } | { kind: 'cursor'; size?: number | undefined; after?: string | undefined; before?: string | undefined }
      countable: true
      actions: {
        /** Creates a copy of this album, with the same tracks. */
        reissue: {
          on: 'resource'
          methods: 'POST'
          input: { document: 'albums' }
          result: { resource: 'albums' }
        }
        /** Stores the picture of this album, and replaces an older one. The body is the file itself. */
        artwork: {
          on: 'resource'
          methods: 'POST'
          input: { bytes: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' }
          result: 'none'
        }
        /** The picture of this album. */
        picture: {
          on: 'resource'
          methods: 'GET'
          input: null
          result: { bytes: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' }
        }
        /** Counts the albums of each status. */
        summary: {
          on: 'collection'
          methods: 'POST'
          input: null
          result: 'meta'
        }
      }
      upsertBy: never
      aggregates: {
        'by-year': 'albums-by-year'
        'by-artist': 'albums-by-artist'
      }
      results: {
        create: { resource: 'albums' }
        update: { resource: 'albums' }
        delete: 'none'
        fetchOne: { resource: 'albums' }
      }
    }
    /** People and bands that make music. */
    artists: {
      path: 'artists'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'never'
      attributes: {
        name: string
        /** The default is made from the name. */
        slug: string
        website: string | null
        bio: string | null
        trackCount: number
        createdAt: string
      }
      create: {
        name: string
        /** The default is made from the name. */
        slug?: string
        website?: string | null
        bio?: string | null
        createdAt?: string
      }
      update: {
        name?: string
        /** The default is made from the name. */
        slug?: string
        website?: string | null
        bio?: string | null
      }
      relations: {
        albums: {
          type: 'albums'
          many: true
          path: 'albums'
          is: 'shown' | 'optional' | 'includable' | 'related' | 'relationship' | 'creatable' | 'replaceable' | 'addable' | 'removable'
          pivot: null
          filters: {}
          sorts: never
          page: { size?: number | undefined; after?: string | undefined; before?: string | undefined }
        }
      }
      filters: {
        id: readonly string[]
        slug: string
        /** A part of the name. */
        q: string
      }
      singular: 'slug'
      sorts: 'id' | 'name' | 'slug' | 'createdAt'
      page: { number?: number | undefined; size?: number | undefined }
      countable: true
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'artists' }
        update: { resource: 'artists' }
        delete: 'none'
        fetchOne: { resource: 'artists' }
      }
    }
    /** The songs of albums. */
    tracks: {
      path: 'tracks'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete' | 'Export'
      clientIds: 'never'
      attributes: {
        title: string
        /** The default is the next number of the album. */
        trackNumber: number
        durationSeconds: number
        explicit: boolean
        genres: readonly string[]
        previewOffset: string | null
        displayTitle: string
      }
      create: {
        title: string
        /** The default is the next number of the album. */
        trackNumber?: number
        durationSeconds?: number
        explicit?: boolean
        genres?: readonly string[]
        previewOffset?: string | null
      }
      update: {
        title?: string
        /** The default is the next number of the album. */
        trackNumber?: number
        durationSeconds?: number
        explicit?: boolean
        genres?: readonly string[]
        previewOffset?: string | null
      }
      relations: {
        album: {
          type: 'albums'
          many: false
          path: 'album'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'linked' | 'creatable' | 'replaceable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
        playlists: {
          type: 'playlists'
          many: true
          path: 'playlists'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'linked' | 'countable' | 'creatable' | 'addable' | 'removable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: {
        id: readonly string[]
        title: string
        explicit: boolean
        genres: readonly string[]
        q: string
      }
      singular: never
      sorts: 'id' | 'title' | 'trackNumber'
      page: { kind?: 'page'; number?: number | undefined; size?: number | undefined } | { kind: 'cursor'; size?: number | undefined; after?: string | undefined; before?: string | undefined; count?: 'estimate' | undefined } | { kind: 'offset'; offset?: number | undefined; limit?: number | undefined }
      countable: true
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'tracks' }
        update: { resource: 'tracks' }
        delete: 'none'
        fetchOne: { resource: 'tracks' }
      }
    }
    /** Lists of tracks. Only the owner sees a private playlist. */
    playlists: {
      path: 'playlists'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'never'
      attributes: {
        title: string
        slug: string
        public: boolean
        externalId: string | null
      }
      create: {
        title: string
        public?: boolean
        externalId?: string | null
      }
      update: {
        title?: string
        public?: boolean
        externalId?: string | null
      }
      relations: {
        owner: {
          type: 'users'
          many: false
          path: 'owner'
          is: 'shown' | 'optional' | 'related' | 'relationship' | 'linked' | 'creatable' | 'replaceable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
        publicOwner: {
          type: 'public-profiles'
          many: false
          path: 'publicOwner'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'linked'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
        tracks: {
          type: 'tracks'
          many: true
          path: 'tracks'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'countable' | 'creatable' | 'replaceable' | 'addable' | 'removable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
        orderedTracks: {
          type: 'tracks'
          many: true
          path: 'orderedTracks'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'creatable' | 'replaceable' | 'addable' | 'removable'
          pivot: {
            attributes: {
              position: number
              weight: number
              addedAt: string
            }
            create: {
              position: number
              weight?: number
            }
            update: {
              position?: number
              weight?: number
            }
          }
          filters: {
            position: number
            weight: number
          }
          sorts: 'position' | 'weight' | 'addedAt'
          page: 'inherited'
        }
      }
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: true
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'playlists' }
        update: { resource: 'playlists' }
        delete: 'none'
        fetchOne: { resource: 'playlists' }
      }
    }
    /** The tracks, albums and artists that a user has collected. */
    libraries: {
      path: 'libraries'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'never'
      attributes: {}
      create: {}
      update: {}
      relations: {
        owner: {
          type: 'users'
          many: false
          path: 'owner'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'linked' | 'creatable' | 'replaceable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
        items: {
          type: 'tracks' | 'albums' | 'artists'
          many: true
          path: 'items'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'creatable' | 'replaceable' | 'addable' | 'removable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'libraries' }
        update: { resource: 'libraries' }
        delete: 'none'
        fetchOne: { resource: 'libraries' }
      }
    }
    /** The favorite tracks, albums and artists of users. */
    favorites: {
      path: 'favorites'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'never'
      attributes: {
        favoritedAt: string
      }
      create: {
        favoritedAt?: string
      }
      update: {}
      relations: {
        user: {
          type: 'users'
          many: false
          path: 'user'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'linked' | 'creatable' | 'replaceable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
        favoritable: {
          type: 'tracks' | 'albums' | 'artists'
          many: false
          path: 'favoritable'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'linked' | 'creatable' | 'replaceable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'favorites' }
        update: { resource: 'favorites' }
        delete: 'none'
        fetchOne: { resource: 'favorites' }
      }
    }
    /** The devices that a user listens on. A deleted device can be restored. */
    devices: {
      path: 'devices'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'never'
      attributes: {
        label: string
      }
      create: {
        label: string
      }
      update: {
        label?: string
      }
      relations: {}
      filters: {
        id: readonly string[]
        onlyTrashed: boolean
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {
        restore: {
          on: 'resource'
          methods: 'POST'
          input: null
          result: { resource: 'devices' }
        }
        'force-delete': {
          on: 'resource'
          methods: 'POST'
          input: null
          result: 'none'
        }
      }
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'devices' }
        update: { resource: 'devices' }
        delete: 'none'
        fetchOne: { resource: 'devices' }
      }
    }
    /** Kinds of music. Clients choose the ids. */
    genres: {
      path: 'genres'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete' | 'Upsert'
      clientIds: 'required'
      attributes: {
        name: string
      }
      create: {
        name: string
      }
      update: {
        name?: string
      }
      relations: {}
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {}
      upsertBy: 'id'
      aggregates: {}
      results: {
        create: { resource: 'genres' }
        update: { resource: 'genres' }
        delete: 'none'
        fetchOne: { resource: 'genres' }
      }
    }
    /**
     * Products on sale. A product may be part of another.
     * @deprecated Served until Wed, 31 Dec 2031 23:59:59 GMT.
     */
    products: {
      path: 'products'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'never'
      attributes: {
        name: string
      }
      create: {
        name: string
      }
      update: {
        name?: string
      }
      relations: {
        parent: {
          type: 'products'
          many: false
          path: 'parent'
          is: 'shown' | 'includable' | 'related' | 'relationship' | 'linked' | 'creatable' | 'replaceable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'products' }
        update: { resource: 'products' }
        delete: 'none'
        fetchOne: { resource: 'products' }
      }
    }
    /** The public part of a user. */
    'public-profiles': {
      path: 'public-profiles'
      operations: 'FetchCollection' | 'FetchOne'
      clientIds: 'never'
      attributes: {
        displayName: string
      }
      create: {
        displayName?: string
      }
      update: {
        displayName?: string
      }
      relations: {}
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id' | 'displayName'
      page: { size?: number | undefined; after?: string | undefined; before?: string | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'public-profiles' }
        update: { resource: 'public-profiles' }
        delete: 'none'
        fetchOne: { resource: 'public-profiles' }
      }
    }
    /** The users of the service. */
    users: {
      path: 'users'
      operations: never
      clientIds: 'never'
      attributes: {}
      create: {}
      update: {}
      relations: {}
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'users' }
        update: { resource: 'users' }
        delete: 'none'
        fetchOne: { resource: 'users' }
      }
    }
    /** The most played tracks of each month. */
    charts: {
      path: 'charts'
      operations: 'FetchCollection' | 'FetchOne'
      clientIds: 'never'
      attributes: {
        plays: number
        entries: readonly {
          place: number
          track: string
          title: string
          plays: number
        }[]
      }
      create: {}
      update: {}
      relations: {}
      filters: {}
      singular: never
      sorts: never
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'charts' }
        update: { resource: 'charts' }
        delete: 'none'
        fetchOne: { resource: 'charts' }
      }
    }
    /** Countries by their codes. */
    countries: {
      path: 'countries'
      operations: 'FetchCollection' | 'FetchOne'
      clientIds: 'never'
      attributes: {
        name: string
      }
      create: {
        name?: string
      }
      update: {
        name?: string
      }
      relations: {}
      filters: {}
      singular: never
      sorts: never
      page: { number?: number | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'countries' }
        update: { resource: 'countries' }
        delete: 'none'
        fetchOne: { resource: 'countries' }
      }
    }
    /** Files with albums that are read in the background. Creating one starts a job. */
    imports: {
      path: 'imports'
      operations: 'FetchCollection' | 'FetchOne' | 'Create'
      clientIds: 'never'
      attributes: {
        source: string
        status: string
      }
      create: {
        source: string
      }
      update: {
        source?: string
      }
      relations: {}
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { job: 'jobs' }
        update: { resource: 'imports' }
        delete: 'none'
        fetchOne: { resource: 'imports' }
      }
    }
    /** Work in the background. A finished job redirects to its result. */
    jobs: {
      path: 'jobs'
      operations: 'FetchCollection' | 'FetchOne'
      clientIds: 'never'
      attributes: {
        status: string
        progress: number
      }
      create: {
        status?: string
        progress?: number
      }
      update: {
        status?: string
        progress?: number
      }
      relations: {}
      filters: {
        id: readonly string[]
      }
      singular: never
      sorts: 'id'
      page: { number?: number | undefined; size?: number | undefined }
      countable: false
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'jobs' }
        update: { resource: 'jobs' }
        delete: 'none'
        fetchOne: { resource: 'jobs' } | 'redirect'
      }
    }
    'albums-by-year': {
      path: 'albums-by-year'
      operations: never
      clientIds: 'never'
      attributes: {
        year: number | null
        albums: number
        rating: number | null
      }
      create: {}
      update: {}
      relations: {}
      filters: {
        id: readonly string[]
        artist: string
        title: string
        'artist.name': string | number | boolean
        tracks: true
        rating: { min?: number | undefined; max?: number | undefined }
        releasedAt: { min?: string | undefined; max?: string | undefined }
        q: string
        status: 'upcoming' | 'released' | 'withdrawn'
      }
      singular: never
      sorts: 'year' | 'albums' | 'rating'
      page: { number?: number | undefined; size?: number | undefined }
      countable: true
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'albums-by-year' }
        update: { resource: 'albums-by-year' }
        delete: 'none'
        fetchOne: { resource: 'albums-by-year' }
      }
    }
    'albums-by-artist': {
      path: 'albums-by-artist'
      operations: never
      clientIds: 'never'
      attributes: {
        albums: number
        latest: string | null
      }
      create: {}
      update: {}
      relations: {
        artist: {
          type: 'artists'
          many: false
          path: 'artist'
          is: 'shown' | 'includable' | 'linked'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: {
        id: readonly string[]
        artist: string
        title: string
        'artist.name': string | number | boolean
        tracks: true
        rating: { min?: number | undefined; max?: number | undefined }
        releasedAt: { min?: string | undefined; max?: string | undefined }
        q: string
        status: 'upcoming' | 'released' | 'withdrawn'
      }
      singular: never
      sorts: 'albums' | 'latest' | 'artist'
      page: { number?: number | undefined; size?: number | undefined }
      countable: true
      actions: {}
      upsertBy: never
      aggregates: {}
      results: {
        create: { resource: 'albums-by-artist' }
        update: { resource: 'albums-by-artist' }
        delete: 'none'
        fetchOne: { resource: 'albums-by-artist' }
      }
    }
  }
  page: { number?: number | undefined; size?: number | undefined }
  atomic: '/operations'
  idempotency: true
  filterTrees: false
  dryRun: false
}
