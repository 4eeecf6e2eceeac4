package cellar

import org.jetbrains.exposed.dao.id.IntIdTable
import org.jetbrains.exposed.sql.Table
import org.jetbrains.exposed.sql.javatime.date
import org.jetbrains.exposed.sql.javatime.timestamp

object Parcels : IntIdTable("parcels") {
    val code = text("code").uniqueIndex()
    val rootedOn = date("rooted_on").nullable()
    val areaHa = decimal("area_ha", 6, 2)
}

object Lots : Table("lots") {
    val lotNo = integer("lot_no")
    val vintage = short("vintage")
    val parcel = reference("parcel_id", Parcels).nullable()
    val label = text("label")
    val pickedOn = date("picked_on").nullable()
    val ph = decimal("ph", 4, 2).nullable()
    val notes = text("notes").default("")
    override val primaryKey = PrimaryKey(lotNo, vintage)
}

object Barrels : IntIdTable("barrels") {
    val cooper = text("cooper")
    val volume = integer("volume_l").default(225)
    val filledAt = timestamp("filled_at").nullable()
}

object Tasters : IntIdTable("tasters") {
    val name = text("name")
    val login = text("\"system_user\"").nullable()
}

object Tastings : IntIdTable("tastings") {
    val heldOn = date("held_on")
    val flight = integer("flight").default(6)
    val panel = text("consrc").nullable()
}

object Bottlings : IntIdTable("bottlings") {
    val lotNo = integer("lot_no")
    val vintage = short("vintage")
    val bottledOn = date("bottled_on")
    val bottles = integer("bottles")
}
