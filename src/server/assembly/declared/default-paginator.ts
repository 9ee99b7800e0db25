import type { AnyPaginator } from '../../../declare/pagination/paginator.js'
import { numberPage } from '../../../declare/pagination/paginator.js'
import type { ServerSettings } from './server-settings.js'

/** Returns the paginator of collections that declare none. A `maxPageSize` of 0 turns the built-in paginator off. */
export function defaultPaginator({
  pagination,
  maxPageSize = 100,
}: Pick<ServerSettings, 'pagination' | 'maxPageSize'>): AnyPaginator | null {
  if (pagination !== undefined) return pagination
  return maxPageSize === 0 ? null : numberPage({ maxSize: maxPageSize })
}
