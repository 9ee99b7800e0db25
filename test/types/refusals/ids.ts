import { defineResource, id } from 'ashlar'
import { album } from './albums.js'

export const whole = defineResource('albums', { ...album, id: id(['artistId', 'title']).allowClientId() })
export const other = defineResource('albums', { ...album, id: id('title').sortable() })

// refuses: Type '"titel"' is not assignable to type
export const misspelt = defineResource('albums', { ...album, id: id('titel') })

// refuses: is not assignable to type
export const part = defineResource('albums', { ...album, id: id(['artistId', 'titel']) })
