// Stands in for retrofit2's converter-kotlinx-serialization, which no package index here carries.

package retrofit2.converter.kotlinx.serialization

import java.lang.reflect.Type
import kotlinx.serialization.json.Json
import kotlinx.serialization.serializer
import okhttp3.MediaType
import okhttp3.RequestBody
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.ResponseBody
import retrofit2.Converter
import retrofit2.Retrofit

fun Json.asConverterFactory(contentType: MediaType): Converter.Factory = object : Converter.Factory() {
    override fun responseBodyConverter(type: Type, annotations: Array<out Annotation>, retrofit: Retrofit) =
        Converter<ResponseBody, Any> { decodeFromString(serializersModule.serializer(type), it.string()) }

    override fun requestBodyConverter(
        type: Type,
        parameterAnnotations: Array<out Annotation>,
        methodAnnotations: Array<out Annotation>,
        retrofit: Retrofit,
    ) = Converter<Any, RequestBody> { encodeToString(serializersModule.serializer(type), it).toRequestBody(contentType) }
}
