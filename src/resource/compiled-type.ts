export interface CompiledType { readonly type: string }
