// Stands in for retrofit2's converter-scalars, which no package index here carries: texts as they are.

package retrofit2.converter.scalars

import java.lang.reflect.Type
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.RequestBody
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.ResponseBody
import retrofit2.Converter
import retrofit2.Retrofit

class ScalarsConverterFactory private constructor() : Converter.Factory() {
    companion object {
        @JvmStatic
        fun create() = ScalarsConverterFactory()
    }

    override fun responseBodyConverter(type: Type, annotations: Array<out Annotation>, retrofit: Retrofit) =
        if (type == String::class.java) Converter<ResponseBody, Any> { it.string() } else null

    override fun requestBodyConverter(
        type: Type,
        parameterAnnotations: Array<out Annotation>,
        methodAnnotations: Array<out Annotation>,
        retrofit: Retrofit,
    ) = if (type == String::class.java) {
        Converter<Any, RequestBody> { it.toString().toRequestBody("text/plain".toMediaType()) }
    } else {
        null
    }
}
